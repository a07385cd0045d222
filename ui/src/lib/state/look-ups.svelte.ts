// The tokens that the core allows in a bracket being typed, requested once per bracket and state of
// the registry.
import type { DeckState } from './deck.svelte';
import type { Backend } from '../ipc';
import { LatestTask } from '../util/latest-task';
import { openBracket } from '../document/token';

export class LookUps {
  /** Tokens that complete the bracket asked about last. */
  tokens = $state.raw<string[]>([]);
  #wanted: string | undefined;
  #known: { typed: string; registry: unknown } | undefined;
  readonly #task: LatestTask;
  readonly #deck: () => DeckState;

  constructor(backend: Backend, deck: () => DeckState, failed: (error: unknown) => void) {
    this.#deck = deck;
    this.#task = new LatestTask(async () => {
      const typed = this.#wanted;
      if (typed === undefined) return;
      const open = deck();
      // What was typed elsewhere is in the core before the question is.
      await open.settled();
      const { registry } = open;
      this.tokens = await backend.lookUps(open.document, typed);
      this.#known = { typed, registry };
    }, failed);
  }

  /** Asks what completes the innermost bracket of what was typed. */
  ask(typed: string): void {
    this.#wanted = openBracket(typed.trim());
    if (this.#wanted === undefined) return;
    const known = this.#known;
    if (known?.typed === this.#wanted && known.registry === this.#deck().registry) return;
    this.#task.schedule();
  }
}
