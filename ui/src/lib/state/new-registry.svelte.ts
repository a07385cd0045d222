// The dialog that creates a registry: its content, the imported document and its conversion, the name
// of its file.
import { tick } from 'svelte';
import type {
  NewRegistryOptions,
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
import { enterColumn } from '../window/columns';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';
import { TypedName } from './typed-name.svelte';

/** Larger documents are refused before they are read; the service has the same limit. */
const LARGEST = 64 * 1024 * 1024;
/** A longer text is not put into a field. */
const LONGEST_TYPED = 200_000;

/** The content of a new registry: blank, the imported document, or a starter by its name. */
export type ContentChoice =
  { kind: 'blank' } | { kind: 'source' } | { kind: 'starter'; starter: string };

const BLANK: ContentChoice = { kind: 'blank' };

/** The change that undoes one, or null if none does. */
function inverseOf({ kind }: SourceChange, { split }: SourceView): SourceChange | null {
  if (!split) return null;
  if (kind === 'trim') return { kind: 'undo_trim', split };
  return kind === 'propose' || kind === 'split' ? { kind: 'split', split, edit: null } : null;
}

export class NewRegistryState {
  open = $state(false);
  options = $state.raw<NewRegistryOptions | null>(null);
  choice = $state.raw<ContentChoice>(BLANK);
  /** The imported document. */
  source = $state.raw<SourceView | null>(null);
  /** The text typed into the field of the prompt. */
  typed = $state('');
  /** Why the last action failed. */
  problem = $state<string | null>(null);
  busy = $state(false);
  /** Whether files are dragged over the window. */
  dragging = $state(false);
  /** The changes that undo those to the split and trims, the last one first. */
  past = $state.raw<SourceChange[]>([]);

  /** Whether the dialog was opened on a document or a text that was left there before. */
  restored = $state(false);

  /** Whether a new sub-folder is being named. */
  namingFolder = $state(false);

  /** The sub-folder the author chose; null while it is the one of the last registry. */
  #folder = $state<string | null>(null);
  /** The name the author gave to the file; null while it is the proposed one. */
  #named = $state<string | null>(null);
  #studio: Studio;
  /** The pasted text, which `forget` restores in the field. */
  #pasted = '';
  /** Changes are made one by one: each applies to the result of the one before. */
  #queue: Promise<void> = Promise.resolve();

  /** The name of the file while it is typed. */
  readonly typedName: TypedName;

  constructor(studio: Studio) {
    this.#studio = studio;
    const purpose = () => ({ kind: 'new_registry' as const, folder: this.folder });
    this.typedName = new TypedName(studio.backend, purpose);
  }

  /** The starter in use. */
  get starter(): Starter | undefined {
    const { choice } = this;
    if (choice.kind !== 'starter') return undefined;
    return this.options?.starters.find(({ starter }) => starter === choice.starter);
  }

  /** The name of the file to be created. */
  get name(): string {
    if (this.#named !== null) return this.#named;
    if (this.choice.kind === 'source') return this.source?.file ?? '';
    if (this.choice.kind === 'starter') return this.starter?.file ?? '';
    return this.options?.blank_file ?? '';
  }

  set name(name: string) {
    this.#named = name;
    this.problem = null;
  }

  /** Asks what file would be created. */
  checkName(): void {
    this.typedName.type(this.open ? this.name : '');
  }

  /** The sub-folder that the file is created in; empty for the folder itself. */
  get folder(): string {
    return this.#folder ?? this.options?.sub_folder ?? '';
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

  /** Whether the registry can be created. */
  get ready(): boolean {
    return !this.busy && this.waitsFor === null && this.typedName.problem === null;
  }

  /** What is to be done before the registry can be created. */
  get waitsFor(): 'name' | 'text' | 'split' | 'source' | 'bytes' | null {
    if (this.name.trim() === '') return 'name';
    if (this.choice.kind !== 'source') return null;
    if (this.source === null) return this.typed.trim() === '' ? 'text' : 'split';
    if (this.source.conversion == null) return 'source';
    return this.source.conversion.same === false ? 'bytes' : null;
  }

  /** Opens the dialog, with the last document or text if no deck was created from it and no other
      comes with it. A text that could not be read is in its field again. */
  show(kind: 'blank' | 'source' = 'blank', brings = false): void {
    const isPasted = this.#pasted !== '' && !this.isLong(this.#pasted);
    if (isPasted && this.source && !this.source.conversion) this.forget();
    const isKept = this.source !== null || this.typed.trim() !== '';
    const choice: ContentChoice = { kind: isKept ? 'source' : kind };
    if (this.choice.kind !== choice.kind) this.choose(choice);
    this.restored = isKept && !brings;
    // The list, which it may be opened from by its keys, would lie over the new deck.
    this.#studio.files.close();
    this.open = true;
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.options = await this.#studio.backend.newRegistryOptions();
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

  choose(choice: ContentChoice): void {
    this.choice = choice;
    this.#named = null;
    this.problem = null;
  }

  /** Puts away what was left in the dialog, which begins empty. */
  startEmpty(): void {
    this.#pasted = '';
    this.forget();
    this.typed = '';
    this.choose(BLANK);
  }

  /** Puts the document away; a text that was pasted goes back into its field, which keeps what was
      written in it if that text is too long for it. */
  forget(): void {
    const { source } = this;
    if (source) this.#studio.backend.forgetSource(source.number).catch(() => undefined);
    this.restored = false;
    this.source = null;
    this.past = [];
    if (this.#pasted !== '' && !this.isLong(this.#pasted)) this.typed = this.#pasted;
    else if (this.isLong(this.typed)) this.typed = '';
    this.#pasted = '';
    this.problem = null;
  }

  /** Whether a text is too long for a field: the window would lay it out for many seconds. */
  isLong(words: string): boolean {
    return words.length > LONGEST_TYPED;
  }

  /** Reads a pasted or typed text. */
  readText(words: string): Promise<void> {
    return this.#read('', new TextEncoder().encode(words), words);
  }

  /** Reads a chosen file, or one dropped where the page receives it. */
  async readFile(file: File): Promise<void> {
    if (!this.open) this.show('source', true);
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
    if (!this.open) this.show('source', true);
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
    this.restored = false;
    this.source = source;
    this.#pasted = pasted;
    this.past = [];
    this.choice = { kind: 'source' };
    this.#named = null;
  }

  /** Reads the document as another kind, or proposes another split. */
  change(change: SourceChange): Promise<void> {
    return this.#change(() => change);
  }

  /** Asks for a folder of wildcards and reads the template with it. */
  chooseWildcards(): Promise<void> {
    return this.#run(async () => {
      const { source } = this;
      if (!source) return;
      const read = await this.#studio.backend.chooseWildcards(source.number);
      if (read) this.source = read;
    });
  }

  /** Leaves out the white space that no prompt prints, with the borders between the same texts. */
  trim(): Promise<void> {
    return this.#change(({ split }) => ({ kind: 'trim', split }));
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

  /** Undoes the last change of the split, or a trim. */
  undo(): Promise<void> {
    return this.#change(() => this.past[0] ?? null, true);
  }

  #change(of: (source: SourceView) => SourceChange | null, back = false): Promise<void> {
    return this.#run(async () => {
      const before = this.source;
      const change = before && of(before);
      if (!before || !change) return;
      const source = await this.#studio.backend.changeSource(before.number, change);
      this.source = source;
      const inverse = back ? null : inverseOf(change, before);
      if (back) this.past = this.past.slice(1);
      else this.past = inverse && source.split ? [inverse, ...this.past].slice(0, 100) : [];
    });
  }

  /** Runs tasks one by one; failures are shown. */
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
      const { choice, source, name } = this;
      const content: NewRegistry | null =
        choice.kind !== 'source' ? choice : source && { kind: 'source', number: source.number };
      if (!content) return;
      const file = await studio.backend.newRegistry(content, this.folder, name);
      if (choice.kind === 'source') {
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
      if (choice.kind === 'blank' && section !== undefined) {
        studio.goTo({ section, item: 0, field: primaryField(section) });
        return;
      }
      // What the dialog was opened from may have gone with the deck before.
      await tick();
      if (document.activeElement === document.body) enterColumn('deck');
    });
  }
}
