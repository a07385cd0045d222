// The rolled text of the prompt whose alternatives are listed in its place.
import type { Spot } from '../document/blocks';
import { spotKey, type SpotIndex } from '../document/open-spot';
import type { Alternatives, Failure } from '../ipc';
import type { DeckState } from './deck.svelte';
import { choiceLabel } from './prompt-edit-labels';
import type { PromptEditQueue } from './prompt-edit-queue';

/** A stretch, where it was pressed, and what a roll could have printed in its place. */
interface Listed {
  index: SpotIndex;
  key: string;
  offset: number;
  list: Alternatives;
}

export class RolledText {
  listed = $state.raw<Listed | undefined>();

  readonly #queue: PromptEditQueue;
  readonly #deck: () => DeckState | null;
  readonly #spotAt: (index: SpotIndex | undefined) => Spot | undefined;

  constructor(
    queue: PromptEditQueue,
    deck: () => DeckState | null,
    spotAt: (index: SpotIndex | undefined) => Spot | undefined,
  ) {
    this.#queue = queue;
    this.#deck = deck;
    this.#spotAt = spotAt;
  }

  /** What a roll could have printed in place of a stretch; none when it was not rolled. */
  async alternatives(spot: Spot): Promise<Alternatives | null> {
    const segment = this.#queue.segmentOf(spot.pieces.at(-1));
    return (segment === undefined ? null : await this.#deck()?.alternatives(segment)) ?? null;
  }

  list(index: SpotIndex, spot: Spot, offset: number, list: Alternatives): void {
    this.listed = { index, key: spotKey(spot), offset, list };
  }

  /** Sets another entry or item in place of the listed one; the reason if that was refused. */
  async choose(choice: number): Promise<Failure | undefined> {
    const { listed } = this;
    const spot = this.#spotAt(listed?.index);
    const piece = spot?.pieces.at(-1);
    if (!listed || !spot || !piece) return undefined;
    const refusal = await this.#queue.send(
      spot,
      piece,
      (segment) => ({ kind: 'choose', segment, choice }),
      { label: choiceLabel(listed.list, choice), goOn: () => undefined },
    );
    if (!refusal) this.close();
    return refusal;
  }

  /** Closes the list when another text has come to its place. */
  follow(): void {
    const spot = this.#spotAt(this.listed?.index);
    if (!spot || spotKey(spot) !== this.listed?.key) this.close();
  }

  close(): void {
    this.listed = undefined;
  }
}
