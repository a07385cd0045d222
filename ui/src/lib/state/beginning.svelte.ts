// The creation of a registry: what it begins with, the imported document and what becomes of
// it, the name of its file.
import type {
  Beginnings,
  Failure,
  NewRegistry,
  PromptSplit,
  SourceChange,
  SourceView,
  SplitAt,
  SplitEdit,
  Starter,
} from '../ipc';
import { primaryField } from '../document/registry';
import { text } from '../text';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';

/** Larger documents are refused before they are read; the service has the same limit. */
const LARGEST = 64 * 1024 * 1024;
/** A longer text is not put into a field again. */
const LONGEST_TYPED = 200_000;

/** What a new registry begins with: nothing, the source, or a starter by its name. */
export type Chosen = { kind: 'blank' } | { kind: 'source' } | { kind: 'starter'; starter: string };

const BLANK: Chosen = { kind: 'blank' };

export class BeginningState {
  open = $state(false);
  beginnings = $state.raw<Beginnings | null>(null);
  chosen = $state.raw<Chosen>(BLANK);
  /** The document that was brought. */
  source = $state.raw<SourceView | null>(null);
  /** What is typed where a prompt can be pasted. */
  typed = $state('');
  /** Why the last thing asked for was not done. */
  problem = $state<string | null>(null);
  busy = $state(false);
  /** Whether files are dragged over the window. */
  dragging = $state(false);
  /** Splits to go back to, the last one first. */
  past = $state.raw<PromptSplit[]>([]);

  /** Whether a new sub-folder is being named. */
  namingFolder = $state(false);

  /** The sub-folder the author chose; null while it is the one of the last registry. */
  #folder = $state<string | null>(null);
  /** The name the author gave to the file; null while it is the proposed one. */
  #named = $state<string | null>(null);
  #studio: Studio;
  /** What was pasted, to be put into the field again. */
  #pasted = '';
  /** Changes follow one another: each is of what the one before led to. */
  #queue: Promise<void> = Promise.resolve();

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** The starter that is chosen. */
  get starter(): Starter | undefined {
    const { chosen } = this;
    if (chosen.kind !== 'starter') return undefined;
    return this.beginnings?.starters.find(({ starter }) => starter === chosen.starter);
  }

  /** The name of the file to be created. */
  get name(): string {
    if (this.#named !== null) return this.#named;
    if (this.chosen.kind === 'source') return this.source?.file ?? '';
    if (this.chosen.kind === 'starter') return this.starter?.file ?? '';
    return this.beginnings?.blank_file ?? '';
  }

  set name(name: string) {
    this.#named = name;
    this.problem = null;
  }

  /** The sub-folder that the file is created in; empty for the folder itself. */
  get folder(): string {
    return this.#folder ?? this.beginnings?.sub_folder ?? '';
  }

  set folder(folder: string) {
    this.#folder = folder.trim();
    this.namingFolder = false;
    this.problem = null;
  }

  /** The sub-folders to choose from; a new one is created with the registry. */
  get folders(): string[] {
    const all = ['', ...(this.#studio.workspace?.folders ?? [])];
    return all.includes(this.folder) ? all : [...all, this.folder];
  }

  /** Whether there is something to create. */
  get ready(): boolean {
    if (this.busy || this.name.trim() === '') return false;
    if (this.chosen.kind !== 'source') return true;
    return this.source?.conversion != null && this.source.conversion.same !== false;
  }

  /** Opens the dialog, with the document or the text that no deck was created from yet. */
  show(kind: 'blank' | 'source' = 'blank'): void {
    const isKept = this.source !== null || this.typed.trim() !== '';
    const chosen: Chosen = { kind: isKept ? 'source' : kind };
    if (this.chosen.kind !== chosen.kind) this.choose(chosen);
    this.open = true;
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.beginnings = await this.#studio.backend.beginnings();
    } catch (error) {
      this.problem = failureText(error);
    }
  }

  /** Closes the dialog; the document, its split and what was typed stay for the next time. */
  close(): void {
    this.open = false;
    this.namingFolder = false;
    this.#folder = null;
    this.problem = null;
    if (this.source === null && this.typed.trim() === '') this.choose(BLANK);
  }

  choose(chosen: Chosen): void {
    this.chosen = chosen;
    this.#named = null;
    this.problem = null;
  }

  /** Puts the document away; a text that was pasted goes back into its field. */
  forget(): void {
    const { source } = this;
    if (source) this.#studio.backend.forgetSource(source.number).catch(() => undefined);
    this.source = null;
    this.past = [];
    this.typed = this.#pasted.length > LONGEST_TYPED ? '' : this.#pasted;
    this.#pasted = '';
    this.problem = null;
  }

  /** Takes a text that was pasted or typed. */
  readText(words: string): Promise<void> {
    return this.#read('', new TextEncoder().encode(words), words);
  }

  /** Takes a file that was chosen, or dropped where the page itself is given it. */
  async readFile(file: File): Promise<void> {
    if (!this.open) this.show('source');
    if (file.size > LARGEST) {
      this.problem = text.sourceTooLarge(file.name);
      return;
    }
    try {
      await this.#read(file.name, new Uint8Array(await file.arrayBuffer()), '');
    } catch (error) {
      this.problem = failureText(error);
    }
  }

  /** Shows a file that was dropped on the window and read there. */
  dropped(source: SourceView | null, problem: Failure | null): void {
    if (!this.open) this.show('source');
    this.problem = problem && failureText(problem);
    if (source) this.#enter(source, '');
  }

  async #read(name: string, bytes: Uint8Array, pasted: string): Promise<void> {
    if (bytes.length > LARGEST) {
      this.problem = text.sourceTooLarge(name || text.pastedText);
      return;
    }
    await this.#run(async () => {
      this.#enter(await this.#studio.backend.readSource(name, bytes), pasted);
    });
  }

  #enter(source: SourceView, pasted: string): void {
    this.source = source;
    this.#pasted = pasted;
    this.past = [];
    this.chosen = { kind: 'source' };
    this.#named = null;
  }

  /** Reads the document as another kind, or proposes another split. */
  change(change: SourceChange): Promise<void> {
    return this.#change(() => change);
  }

  /** Proposes a split at other places. */
  splitAt(at: SplitAt): Promise<void> {
    return this.change({ kind: 'propose', at });
  }

  /** Changes the split, as it is when the changes before this one are made. */
  edit(of: (split: PromptSplit) => SplitEdit | null): Promise<void> {
    return this.#change(({ split }) => {
      const edit = split && of(split);
      return split && edit && { kind: 'split', split, edit };
    });
  }

  /** Goes back to the split before the last change. */
  undo(): Promise<void> {
    return this.#change(() => {
      const [split] = this.past;
      return split ? { kind: 'split', split, edit: null } : null;
    }, true);
  }

  #change(of: (source: SourceView) => SourceChange | null, back = false): Promise<void> {
    return this.#run(async () => {
      const before = this.source;
      const change = before && of(before);
      if (!before || !change) return;
      const source = await this.#studio.backend.changeSource(before.number, change);
      this.source = source;
      if (back) this.past = this.past.slice(1);
      else if (before.split && source.split) this.past = [before.split, ...this.past].slice(0, 100);
      else this.past = [];
    });
  }

  /** Does one thing after the other; what fails is said. */
  #run(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      this.busy = true;
      this.problem = null;
      try {
        await task();
      } catch (error) {
        this.problem = failureText(error);
      } finally {
        this.busy = false;
      }
    });
    this.#queue = done;
    return done;
  }

  /** Creates the file and opens it. */
  create(): Promise<void> {
    return this.#run(async () => {
      const studio = this.#studio;
      const { chosen, source, name } = this;
      const content: NewRegistry | null =
        chosen.kind !== 'source' ? chosen : source && { kind: 'source', number: source.number };
      if (!content) return;
      const file = await studio.backend.newRegistry(content, this.folder, name);
      if (chosen.kind === 'source') {
        this.source = null;
        this.past = [];
        this.#pasted = '';
        this.typed = '';
      }
      this.choose(BLANK);
      this.close();
      await studio.refreshWorkspace();
      await studio.open(file);
      const section = studio.deck?.names[0];
      if (chosen.kind === 'blank' && section !== undefined) {
        studio.goTo({ section, item: 0, field: primaryField(section) });
      }
    });
  }
}
