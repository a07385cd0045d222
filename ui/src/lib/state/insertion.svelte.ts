// The entry of the assembly order that a button would add, while it is pointed at or has the focus:
// what it would print, and where, as the service evaluated it.
import type { Backend } from '../ipc';
import type { Insertion } from '../document/print-status';
import type { DeckState } from './deck.svelte';
import { isFailure } from './notices.svelte';
import type { PreviewState } from './preview.svelte';

/** What it needs from the window around it. */
export interface InsertionPorts {
  readonly backend: Backend;
  readonly preview: PreviewState;
  readonly deck: DeckState | null;
  readonly notices: { fail(error: unknown): void };
}

export class InsertionState {
  #wanted: Insertion | undefined;
  readonly #ports: InsertionPorts;

  constructor(ports: InsertionPorts) {
    this.#ports = ports;
  }

  /** Asks what an entry would print, and shows it until it is hidden or another is asked about. */
  async show(insertion: Insertion): Promise<void> {
    const { backend, deck, notices, preview } = this.#ports;
    if (!deck || (this.#wanted === insertion && preview.insertion)) return;
    this.#wanted = insertion;
    preview.insertion = undefined;
    try {
      await deck.settled();
      if (this.#wanted !== insertion) return;
      const { token, index } = insertion;
      const answer = await backend.tryInsertion(deck.document, token, index);
      const isCurrent = answer.preview === preview.current?.number;
      if (this.#wanted === insertion && isCurrent) preview.insertion = answer;
    } catch (error) {
      // Another question may have taken its place in the service.
      const superseded = isFailure(error) && error.code === 'superseded';
      if (this.#wanted === insertion && !superseded) notices.fail(error);
    }
  }

  /** Hides what an entry would print, unless another is asked about by now. */
  hide(insertion: Insertion): void {
    if (this.#wanted !== insertion) return;
    this.#wanted = undefined;
    this.#ports.preview.insertion = undefined;
  }
}
