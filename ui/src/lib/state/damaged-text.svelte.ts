// The text of a registry that cannot be opened, while it is edited: what the file holds, what the author
// wrote, why that cannot be opened yet. What is written is kept in the store until it is saved.
import type { DamagedText, Failure } from '../ipc';
import { text } from '../text';
import { failureText, isFailure } from './notices.svelte';
import type { Studio } from './studio.svelte';

/** How long after the last keystroke the text is kept and read, in milliseconds. */
const KEEP_AFTER = 200;

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

export class DamagedTextState {
  /** The file while its text is edited. */
  file = $state<string | null>(null);
  text = $state.raw('');
  /** Why the text cannot be opened; null once it can be. */
  problem = $state.raw<Failure | null>(null);
  /** The version of the file that another program wrote meanwhile. */
  theirs = $state.raw<DamagedText | null>(null);
  /** Why the file cannot be read or written, or the text not be kept. */
  fault = $state<string>();
  /** Whether the text is what was written before and not saved. */
  restored = $state(false);
  saving = $state(false);
  /** What the author knows the file to hold. */
  #saved = $state.raw('');
  readonly modified = $derived(this.text !== this.#saved);
  /** Whether the file begins with a byte order mark, which no registry may: saving leaves it out. */
  hasMark = $state(false);

  readonly #studio: Studio;
  #version = '';
  /** Whether another program wrote the known version, which the author chose to replace. */
  #replacesOther = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was kept last, and the keeping of it. */
  #kept: string | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Opens the text of a file, with what was written before and not saved. */
  async show(file: string): Promise<void> {
    try {
      const opened = await this.#studio.backend.openDamaged(file);
      const { draft } = opened;
      this.#take(opened);
      this.file = file;
      this.restored = draft !== null;
      if (!draft) return;
      this.#kept = undefined;
      this.text = draft.text;
      this.#version = draft.version;
      if (draft.version !== opened.version) this.theirs = opened;
      await this.keep();
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Goes on with what the file holds. */
  #take(opened: DamagedText): void {
    this.text = withoutMark(opened.text);
    this.#saved = this.text;
    this.#kept = this.text;
    this.hasMark = this.text !== opened.text;
    this.#version = opened.version;
    this.problem = opened.problem;
    this.theirs = null;
    this.fault = undefined;
    this.restored = false;
    this.#replacesOther = false;
  }

  type(words: string): void {
    this.text = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.keep(), KEEP_AFTER);
  }

  /** Keeps what was written, and finds out whether it can be opened. */
  keep(): Promise<void> {
    clearTimeout(this.#timer);
    this.#keeping = this.#keeping.then(() => this.#keep());
    return this.#keeping;
  }

  async #keep(): Promise<void> {
    const { file, text: words } = this;
    if (file === null || words === this.#kept) return;
    try {
      const problem = await this.#studio.backend.keepDamaged(file, words, this.#version);
      this.#kept = words;
      this.fault = undefined;
      if (file === this.file && words === this.text) this.problem = problem;
    } catch (error) {
      this.fault = text.damaged.notKept(failureText(error));
    }
  }

  /** Leaves the text; what was written is there again the next time. */
  async close(): Promise<void> {
    const { file, text: words } = this;
    await this.keep();
    const { notices } = this.#studio;
    this.file = null;
    // The list marks what is not saved.
    void this.#studio.refreshWorkspace();
    if (!this.modified || file === null) return;
    if (words === this.#kept) {
      notices.say('plain', text.damaged.isKept(file));
      return;
    }
    // Nowhere but in this window: it stays within reach.
    notices.say('danger', this.fault ?? '', {
      label: text.damaged.goOn,
      run: () => void this.show(file).then(() => this.type(words)),
    });
  }

  /** Goes back to what the file holds. */
  async discard(): Promise<void> {
    this.text = this.#saved;
    this.restored = false;
    await this.keep();
  }

  /** Looks whether another program changed the file. */
  async look(): Promise<void> {
    const { file } = this;
    if (file === null || this.saving) return;
    try {
      const found = await this.#studio.backend.openDamaged(file);
      if (file !== this.file) return;
      if (found.version === this.#version) this.theirs = null;
      else if (this.modified) this.theirs = found;
      else this.#take(found);
    } catch (error) {
      if (file === this.file) this.fault = failureText(error);
    }
  }

  /** Goes on with what the other program wrote; undo in the editor brings back what was written here. */
  async useTheirs(): Promise<void> {
    if (!this.theirs) return;
    this.#take(this.theirs);
    this.#kept = undefined;
    await this.keep();
  }

  /** Goes on with what was written here; saving replaces what the other program wrote. */
  async keepMine(): Promise<void> {
    const { theirs } = this;
    if (!theirs) return;
    this.#saved = withoutMark(theirs.text);
    this.#version = theirs.version;
    this.#replacesOther = theirs.version !== '';
    this.theirs = null;
    this.#kept = undefined;
    await this.keep();
  }

  /** Writes the text to the file; once it can be opened, that is done. */
  async save(): Promise<void> {
    const { file } = this;
    if (file === null || this.saving || this.theirs) return;
    await this.keep();
    const { backend, notices } = this.#studio;
    const words = this.text;
    this.saving = true;
    try {
      const saved = await backend.saveDamaged(file, words, this.#version, this.#replacesOther);
      this.#saved = words;
      this.hasMark = false;
      this.#version = saved.version;
      this.#replacesOther = false;
      this.restored = false;
      this.problem = saved.problem;
      notices.say('ok', text.savedTo(file, saved.kept));
    } catch (error) {
      this.saving = false;
      if (isFailure(error) && error.code === 'changed_outside') await this.look();
      else this.fault = failureText(error);
      return;
    }
    this.saving = false;
    if (this.problem === null) await this.#open(file);
  }

  async #open(file: string): Promise<void> {
    const studio = this.#studio;
    this.file = null;
    studio.files.close();
    await studio.refreshWorkspace();
    if (file !== studio.deck?.document) await studio.open(file);
  }
}
