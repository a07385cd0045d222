// The text of the prompt that prints nothing and is open for its words.
import type { Block } from '../document/blocks';
import { at } from '../document/edit';
import {
  findLastSpot,
  findSpot,
  valuePlaceOf,
  withEmptied,
  type TextPlace,
} from '../document/emptied-text';
import {
  pieceStart,
  spotKey,
  textPieces,
  type SpotCaret,
  type SpotIndex,
} from '../document/open-spot';
import { parseMode } from '../document/mode';
import { pastedEntries } from '../document/pasted-lines';
import { modeText } from '../document/registry';
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
    const valuePlace = place && variable !== undefined ? valuePlaceOf(place, variable) : place;
    // An entry that is not there was joined to another or removed.
    return valuePlace && this.#isBlank(valuePlace) && !this.#isNewEntry(valuePlace)
      ? this.#show(valuePlace)
      : undefined;
  }

  /** Opens a text for its first words, which may be the first entry of a list. */
  begin(place: TextPlace): SpotIndex | undefined {
    return this.#isBlank(place) ? this.#show(place) : undefined;
  }

  #show(place: TextPlace): SpotIndex | undefined {
    this.#place = place;
    const index = findSpot(this.blocks, (spot) => spotKey(spot) === place.key && !!spot.emptied);
    if (!index) this.#place = undefined;
    return index;
  }

  #isBlank({ path }: TextPlace): boolean {
    const value = at(this.#deck()?.tree, path);
    return value === undefined || (typeof value === 'string' && value.trim() === '');
  }

  #isNewEntry({ path }: TextPlace): boolean {
    return typeof path.at(-1) === 'number' && at(this.#deck()?.tree, path) === undefined;
  }

  /** The entries that pasted lines make of it; undefined where they are one text, as in a rolled list. */
  entriesOf(lines: string): string[] | undefined {
    const deck = this.#deck();
    const { source, path } = this.#place ?? {};
    const section = source && deck?.section(source.section);
    if (!deck || !section || source.entry === undefined || source.variable !== undefined) return;
    const mode = modeText(section, source.field, deck.state);
    const isList = Array.isArray(at(deck.tree, path?.slice(0, -1) ?? []));
    if (!lines.includes('\n') || !isList || parseMode(mode).kind !== 'all') return;
    return pastedEntries('', lines, '');
  }

  /** Writes words into it, as its card does, and more as entries behind it; where their end is printed. */
  async write([words = '', ...more]: string[], label: string): Promise<SpotCaret | undefined> {
    const deck = this.#deck();
    const place = this.#place;
    if (!deck || !place) return undefined;
    const { source } = place;
    const last = { ...source, entry: (source.entry ?? 0) + more.length };
    const isNew = this.#isNewEntry(place);
    if (more.length === 0 && !isNew) deck.type(label, place.path, words);
    else {
      const list = place.path.slice(0, -1);
      const first = last.entry - more.length + 1;
      deck.edit(label, [
        { kind: isNew ? 'insert' : 'set', path: place.path, value: words },
        ...more.map((value, n) => ({
          kind: 'insert' as const,
          path: [...list, first + n],
          value,
        })),
      ]);
    }
    await deck.settled();
    const key = more.length === 0 ? place.key : spotKey({ source: last, pieces: [] });
    const { variable } = source;
    const isWritten = ({ source }: Segment) =>
      variable === undefined || source?.variable === variable;
    // Behind a variable without a value the text goes on in another stretch.
    const index = findLastSpot(
      this.blocks,
      (spot) =>
        spotKey(spot) === key &&
        !spot.emptied &&
        (variable === undefined || textPieces(spot).some(isWritten)),
    );
    const spot = index && this.blocks[index.block]?.spots[index.spot];
    if (!index || !spot) return undefined;
    const end = textPieces(spot).findLast(isWritten);
    return { index, offset: end ? pieceStart(spot, end) + end.text.length : 0 };
  }

  close(): void {
    this.#place = undefined;
  }
}
