// Bringing a registry in: the text to be imported, what was wrong with it, what became of it.
import type { Failure, Imported, ImportLine, JsonValue } from '../ipc';
import { text } from '../text';
import { isObject } from '../document/edit';
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

export class ImportState {
  open = $state(false);
  /** What was typed or pasted. */
  source = $state('');
  /** Why it could not be imported. */
  problem = $state<string | null>(null);
  /** What became of it, once it is imported. */
  report = $state.raw<Imported | null>(null);
  busy = $state(false);
  /** Whether files are dragged over the window. */
  dragging = $state(false);

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

  /** Imports a file that was chosen, or dropped where the page itself is given it. */
  async importFile(file: File): Promise<void> {
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

  /** Shows what became of a file that was dropped on the window. */
  async dropped(imported: Imported | null, problem: Failure | null): Promise<void> {
    this.show();
    this.problem = problem && failureText(problem);
    if (imported) await this.#imported(imported);
  }

  async #imported(imported: Imported): Promise<void> {
    this.source = '';
    // A registry of Promptdeck itself is not converted, so there is nothing to report.
    if (imported.dialect === 'canonical') {
      this.open = false;
      this.#studio.notices.say('ok', text.importedAs(imported.file));
    } else this.report = imported;
    await this.#studio.refreshWorkspace();
    await this.#studio.open(imported.file);
  }

  /** Imports the text and opens the registry made of it. */
  async run(name: string = titleOf(this.source) ?? text.importName): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      await this.#imported(await this.#studio.backend.importRegistry(name, this.source));
    } catch (error) {
      this.problem = failureText(error);
    } finally {
      this.busy = false;
    }
  }
}
