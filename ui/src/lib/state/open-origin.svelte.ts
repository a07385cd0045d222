// Where the text that is open in the prompt is written: its source, and its field on a card.
import { withoutVariable, type Spot } from '../document/blocks';
import type { CaretTarget } from '../document/caret-target';
import { anchorOf, placeOfPointer, placeOfSource, placeOfVariable } from '../document/place';
import type { Segment } from '../ipc';
import type { DeckState } from './deck.svelte';

interface OpenText {
  readonly spot: Spot | undefined;
  readonly target: CaretTarget | undefined;
  readonly piece: Segment | undefined;
  /** The variable whose value is edited. */
  readonly variable: string | undefined;
}

export class OpenOrigin {
  readonly #open: OpenText;
  readonly #deck: () => DeckState | null;

  constructor(open: OpenText, deck: () => DeckState | null) {
    this.#open = open;
    this.#deck = deck;
  }

  /** The token whose text is open. */
  readonly token = $derived.by(() => this.#open.spot?.source?.token ?? undefined);
  readonly source = $derived.by(() => {
    const { spot, variable } = this.#open;
    const source = spot?.source;
    if (!source || spot.gap !== undefined) return source;
    const text = withoutVariable(source);
    return variable === undefined ? text : { ...text, variable };
  });
  /** The field on a card that holds the open text. */
  readonly anchor = $derived.by(() => {
    const { spot, variable, piece } = this.#open;
    const source = spot?.source;
    if (source === undefined) return undefined;
    if (variable !== undefined) {
      return anchorOf(placeOfVariable(this.#deck()?.section(source.section), variable));
    }
    const pointer = piece?.pointer;
    return anchorOf(pointer === undefined ? placeOfSource(source) : placeOfPointer(pointer));
  });
  /** The caret in that field; unknown beside a variable where the text has no letter. */
  readonly caret = $derived.by(() => {
    const { target } = this.#open;
    if (target?.kind === 'beside') return undefined;
    return target === undefined || target.piece.bullet === true
      ? 0
      : (target.piece.start ?? 0) + target.at;
  });
}
