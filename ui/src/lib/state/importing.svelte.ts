// Bringing a registry in: the text to be imported, what was wrong with it, what became of it.
import type { Imported, ImportLine, JsonValue } from '../ipc';
import { text } from '../text';
import { isObject } from './edit';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';

const LARGEST = 64 * 1024 * 1024;

/** The fates of a report's lines, the gravest first. */
const FATES = ['differs', 'disputed', 'rewritten', 'kept'] as const;

/** What a registry that was pasted calls itself. */
function titleOf(source: string): string | undefined {
  try {
    const parsed = JSON.parse(source) as JsonValue;
    const registry = isObject(parsed) && isObject(parsed.registry) ? parsed.registry : parsed;
    const title = isObject(registry) ? registry.title : undefined;
    return typeof title === 'string' && title.trim() !== '' ? title : undefined;
  } catch {
    // The service says what is wrong with it.
    return undefined;
  }
}

export class Importing {
  open = $state(false);
  /** What was typed or pasted. */
  source = $state('');
  /** Why it could not be imported. */
  problem = $state<string | null>(null);
  /** What became of it, once it is imported. */
  report = $state.raw<Imported | null>(null);
  busy = $state(false);

  #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** The report's lines, kind by kind; kinds without lines are left out. */
  get groups(): { fate: ImportLine['fate']; lines: ImportLine[] }[] {
    const lines = this.report?.lines ?? [];
    return FATES.map((fate) => ({
      fate,
      lines: lines.filter((line) => line.fate === fate),
    })).filter((group) => group.lines.length > 0);
  }

  /** Opens the dialog, empty or with a text to begin with. */
  show(source = ''): void {
    this.source = source;
    this.problem = null;
    this.report = null;
    this.open = true;
  }

  /** Imports a file that was chosen or dropped. */
  async take(file: File): Promise<void> {
    this.show();
    if (file.size > LARGEST) {
      this.problem = text.importTooLarge(file.name);
      return;
    }
    try {
      const bytes = await file.arrayBuffer();
      this.source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      this.problem = text.importNotText(file.name);
      return;
    }
    await this.run(file.name);
  }

  /** Imports the text and opens the registry made of it. */
  async run(name: string = titleOf(this.source) ?? text.importName): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      const imported = await this.#studio.backend.importRegistry(name, this.source);
      this.report = imported;
      this.source = '';
      await this.#studio.refreshWorkspace();
      await this.#studio.open(imported.file);
    } catch (error) {
      this.problem = failureText(error);
    } finally {
      this.busy = false;
    }
  }
}
