// The text of the prompt that prints nothing and is open for its words.
import type { Block } from '../document/blocks';
import { at } from '../document/edit';
import { findSpot, valuePlaceOf, withEmptied, type TextPlace } from '../document/emptied-text';
import {
  pieceStart,
  spotKey,
  textPieces,
  type SpotCaret,
  type SpotIndex,
} from '../document/open-spot';
import type { Segment } from '../ipc';
import type { DeckState } from './deck.svelte';
import type { PreviewState } from './preview.svelte';

export class EmptiedSpot {
  #place = $state.raw<TextPlace | undefined>();
  readonly #preview: PreviewState;
  readonly #deck: () => DeckState | null;

  constructor(preview: PreviewState, deck: () => DeckState | null) {
    this.#preview = preview;
    this.#deck = deck;
  }

  /** The blocks of the prompt, with the text. */
  readonly blocks = $derived.by((): Block[] => {
    const { blocks } = this.#preview;
    return (this.#place && withEmptied(blocks, this.#place)) ?? blocks;
  });

  get place(): TextPlace | undefined {
    return this.#place;
  }

  /** Opens a text, or the value of a variable in it, that has no letter; undefined when it has one. */
  open(place: TextPlace | undefined, variable?: string): SpotIndex | undefined {
    const own = place && variable !== undefined ? valuePlaceOf(place, variable) : place;
    if (!own || !this.#isBlank(own)) return undefined;
    this.#place = own;
    const index = this.#index(true);
    if (!index) this.#place = undefined;
    return index;
  }

  #isBlank({ path }: TextPlace): boolean {
    const own = at(this.#deck()?.tree, path);
    return own === undefined || (typeof own === 'string' && own.trim() === '');
  }

  #index(isEmptied: boolean): SpotIndex | undefined {
    const key = this.#place?.key;
    return findSpot(
      this.blocks,
      (spot) => spotKey(spot) === key && (spot.emptied === true) === isEmptied,
    );
  }

  /** Writes words into it, as its card does; where their end is printed. */
  async write(words: string, label: string): Promise<SpotCaret | undefined> {
    const deck = this.#deck();
    const place = this.#place;
    if (!deck || !place) return undefined;
    deck.type(label, place.path, words);
    await deck.settled();
    const index = this.#index(false);
    const spot = index && this.blocks[index.block]?.spots[index.spot];
    if (!index || !spot) return undefined;
    const { variable } = place.source;
    const isWritten = ({ source }: Segment) =>
      variable === undefined || source?.variable === variable;
    const last = textPieces(spot).findLast(isWritten);
    return { index, offset: last ? pieceStart(spot, last) + last.text.length : 0 };
  }

  close(): void {
    this.#place = undefined;
  }
}
