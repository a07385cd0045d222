// What of the open documents is in their files: saves by the author and by autosave, drafts, conflicts
// with the file, and what is said of a write that failed, until it is over.
import { SvelteMap } from 'svelte/reactivity';
import { writesAtOnce } from '../document/conflict';
import type { Choice, Conflict, DraftNote, Event, Failure, OpenDocument } from '../ipc';
import { text } from '../text';
import type { CallState } from './call.svelte';
import type { ChecksFile } from './checks.svelte';
import type { DeckState } from './deck.svelte';
import type { Notice, Offer } from './notices.svelte';
import { SavedWords } from './saved-words';
import type { Studio } from './studio.svelte';
import { sayUnread } from './unread-fields';

/** Whether a document has edits, or typed text, that its file has not. */
const isUnsaved = (document: DeckState | CallState | ChecksFile | null): boolean =>
  document !== null && (document.status.modified || document.unread.labels.length > 0);

/** A document with its status, which is not known any more of one that is not shown. */
interface Unsaved {
  document: string;
  status?: { modified: boolean };
}

export class SavingState {
  /** How the file of the deck and the deck differ, where both were changed. */
  conflict = $state.raw<Conflict | null>(null);
  /** Until when the draft of the deck is safe, and why it could not be kept. */
  draft = $state.raw<{ savedAt: number; problem: Failure | null } | null>(null);

  readonly #studio: Studio;
  /** Documents whose last save failed, and those whose draft could not be written. */
  readonly #unwritten = new SvelteMap<string, unknown>();
  readonly #undrafted = new SvelteMap<string, Failure>();
  readonly #savedWords = new SavedWords();

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Which documents of the open deck have unsaved edits. */
  readonly unsaved = $derived.by(() => ({
    deck: isUnsaved(this.#studio.deck),
    checks: isUnsaved(this.#studio.checks.file),
    call: isUnsaved(this.#studio.request.call),
  }));
  readonly isModified = $derived(this.unsaved.deck || this.unsaved.checks || this.unsaved.call);

  /** Begins with a deck as it was opened, or with none. */
  enter(opened?: OpenDocument): void {
    this.draft = null;
    this.conflict = opened?.conflict ?? null;
  }

  /** Saves the deck and the documents beside it. */
  async save(): Promise<void> {
    const studio = this.#studio;
    const { deck } = studio;
    if (!deck) return;
    await studio.promptEditing.settled();
    await deck.settled();
    const { call, checks } = this.unsaved;
    const hasUnread = deck.unread.labels.length > 0;
    await studio.request.save();
    await studio.checks.save();
    await this.#save(deck.document, call || checks || hasUnread);
    sayUnread(studio);
  }

  /**
   * Saves a document, which need not be shown any more when a failed save is tried again. Where
   * others were saved with it, or something can't be, that there was nothing to save is not worth a
   * word.
   */
  async #save(document: string, withOthers = false): Promise<void> {
    const studio = this.#studio;
    const openDeck = () => (studio.deck?.document === document ? studio.deck : null);
    try {
      const report = await studio.backend.save(document);
      this.saved(document);
      const deck = openDeck();
      if (deck) {
        deck.takeSaved(report.status);
        this.conflict = report.conflict;
      }
      if (report.conflict) {
        const isOver = () => openDeck() !== null && this.conflict === null;
        const words = text.notSaved(document, report.conflict.disk);
        studio.notices.say('warn', words, undefined, isOver);
        if (deck) studio.goTo({ part: 'conflict' });
        return;
      }
      // The file holds it; what is edited from here on has no draft yet.
      if (deck) this.draft = null;
      if (!report.written && withOthers) return;
      studio.notices.say('ok', this.#savedWords.of(document, report, deck?.state));
    } catch (error) {
      const retry = { label: text.retry, run: () => void this.#save(document) };
      this.notSaved(openDeck() ?? { document }, error, retry);
    }
  }

  /** A document was saved: what was said of a save that failed is over. */
  saved(document: string): void {
    this.#unwritten.delete(document);
  }

  /** Says why a document could not be saved, until it is or its edits are undone. */
  notSaved(document: Unsaved, error: unknown, retry?: Offer): void {
    const name = document.document;
    this.#unwritten.set(name, error);
    const hadEdits = document.status?.modified ?? true;
    const isUndone = () => hadEdits && document.status?.modified === false;
    // The next failure takes the place of this one, with its own figures.
    const isOver = () => this.#unwritten.get(name) !== error || isUndone();
    this.#studio.notices.fail(error, retry, isOver);
  }

  /** Says something of the unsaved edits of a document, for as long as there are any. */
  sayOfUnsaved(document: Unsaved, tone: Notice['tone'], words: string): void {
    const isOver = () => document.status?.modified === false;
    this.#studio.notices.say(tone, words, undefined, isOver);
  }

  /** Says that the unsaved edits of a document are back, and whether all of them are. */
  sayOfDraft(document: Unsaved, { incomplete }: DraftNote, words: string): void {
    if (incomplete) this.#studio.notices.say('warn', text.editsLost(document.document));
    if (document.status?.modified) this.sayOfUnsaved(document, 'plain', words);
  }

  /** Takes in how the draft of a document was written, and says why it could not be, until it can or
      there is nothing left to write. */
  drafted(document: Unsaved, { kept, problem }: Event & { kind: 'draft' }): void {
    const { notices } = this.#studio;
    const name = document.document;
    if (kept) notices.say('warn', text.otherWindowKept(kept));
    if (!problem) {
      this.#undrafted.delete(name);
      return;
    }
    this.#undrafted.set(name, problem);
    const isOver = () =>
      this.#undrafted.get(name) !== problem || document.status?.modified === false;
    notices.fail(problem, undefined, isOver);
  }

  /** Ends the conflict with the file: a side for each part that differs. A damaged file is overwritten,
      and a deleted one written again, at once. */
  async resolve(choices: Record<string, Choice>, all?: Choice): Promise<void> {
    const studio = this.#studio;
    const { deck } = studio;
    if (!deck) return;
    const { tree } = deck;
    const writes = writesAtOnce(this.conflict);
    const done = await deck.change(() => studio.backend.resolve(deck.document, choices));
    if (!done) return;
    this.conflict = null;
    if (all) {
      const undo = deck.tree === tree ? undefined : studio.undoOffer(deck);
      studio.notices.say('ok', text.choseAll[all](deck.document), undo);
    }
    if (writes) await this.#save(deck.document);
    void studio.snapshots.reload();
  }

  /** Goes back to what the file holds; it can be undone. */
  async revert(): Promise<void> {
    const studio = this.#studio;
    const { deck } = studio;
    if (!deck) return;
    const change = await deck.change(() => studio.backend.revert(deck.document));
    if (!change) return;
    studio.notices.say('plain', text.reverted(deck.document), studio.undoOffer(deck));
    void studio.snapshots.reload();
  }

  /** Takes in what happened to the file and the draft of the deck. */
  onEvent(event: Event): void {
    const { deck } = this.#studio;
    if (!deck || !('document' in event) || event.document !== deck.document) return;
    switch (event.kind) {
      case 'conflicted':
        this.conflict = event.conflict;
        break;
      case 'conflict_over':
        this.conflict = null;
        break;
      case 'autosaved':
        this.#autosaved(deck, event);
        break;
      case 'draft':
        this.draft = { savedAt: event.saved_at, problem: event.problem };
        this.drafted(deck, event);
        break;
    }
  }

  #autosaved(deck: DeckState, { report, problem }: Event & { kind: 'autosaved' }): void {
    if (report) {
      this.saved(deck.document);
      deck.takeSaved(report.status);
      this.conflict = report.conflict;
      const words = report.kept && text.savedTo(deck.document, report.kept);
      if (words) this.#studio.notices.say('ok', words);
    }
    if (problem) this.notSaved(deck, problem);
  }
}
