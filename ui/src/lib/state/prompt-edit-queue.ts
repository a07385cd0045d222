// Edits in the prompt on their way to the service, one after the other.
import type { Change, Failure, PromptEdit, Segment } from '../ipc';
import type { Spot } from '../document/blocks';
import { JobQueue } from '../util/job-queue';
import { TYPED } from './copied-text';
import type { DeckState, PastedAs } from './deck.svelte';
import type { PreviewState } from './preview.svelte';
import { labelOf } from './prompt-edit-labels';

/** How an edit is sent. */
interface Sent {
  pasted?: PastedAs;
  /** The label of its step, where it is not that of typing. */
  label?: string;
  /** Called with the change that it made. */
  goOn: (change: Change, edit: PromptEdit, variable: string | undefined) => void;
}

export class PromptEditQueue extends JobQueue {
  readonly #preview: PreviewState;
  readonly #deck: () => DeckState | null;
  #isSending = false;
  /** Resolves when keys may act. */
  #released = Promise.resolve();

  constructor(preview: PreviewState, deck: () => DeckState | null) {
    super();
    this.#preview = preview;
    this.#deck = deck;
  }

  /** Whether an edit is on its way, which says itself where the caret goes. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** One edit after the other: each is meant for the prompt that the one before, or an undo, made. */
  edit(make: () => Promise<void>): Promise<void> {
    return this.add(async () => {
      await this.#deck()?.settled();
      await make();
    });
  }

  /**
   * Acts as a key does, once the edits before it are made. What is typed after it waits for what it does: for its
   * edits, an undo, and a focus or a selection that the browser says later.
   */
  act(key: () => void): Promise<void> {
    return this.add(async () => {
      await this.#deck()?.settled();
      await this.#released;
      await this.actAlone(key);
      await this.#deck()?.settled();
      await new Promise((resolve) => setTimeout(resolve));
    });
  }

  /** Has the keys that wait stay so until the function is called that it gives. */
  holdKeys(): () => void {
    let release = () => {};
    this.#released = new Promise((resolve) => (release = resolve));
    return release;
  }

  segmentOf(piece: Segment | undefined): number | undefined {
    const at = piece ? (this.#preview.current?.segments.indexOf(piece) ?? -1) : -1;
    return at < 0 ? undefined : at;
  }

  /** Sends an edit of a piece; the reason if it was refused. */
  async send(
    spot: Spot,
    piece: Segment,
    editAt: (segment: number) => PromptEdit,
    { pasted = TYPED, label, goOn }: Sent,
  ): Promise<Failure | undefined> {
    const deck = this.#deck();
    const segment = this.segmentOf(piece);
    if (!deck || segment === undefined) return undefined;
    const edit = editAt(segment);
    const variable = edit.kind === 'replace' ? piece.source?.variable : undefined;
    const words = label ?? labelOf(spot, variable);
    return this.whileSending(() =>
      deck.editPrompt(edit, words, pasted, (change) => goOn(change, edit, variable)),
    );
  }

  async whileSending<T>(send: () => Promise<T>): Promise<T> {
    this.#isSending = true;
    try {
      return await send();
    } finally {
      this.#isSending = false;
    }
  }
}
