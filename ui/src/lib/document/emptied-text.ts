// A text that prints nothing and is open for its words: it is drawn where it was printed, or would be.
import type { Source, Step } from '../ipc';
import { samePlace, withoutVariable, type Block, type Spot } from './blocks';
import { spotKey, type SpotIndex } from './open-spot';
import { placeOfSource, steps } from './place';

/** Where a text of the prompt is written, and where it is printed. */
export interface TextPlace {
  source: Source;
  /** Names its stretch, see `spotKey`. */
  key: string;
  path: Step[];
  /** Names the stretch before it; none at the start of the prompt. */
  after: string | undefined;
}

const hasSource = (spot: Spot): boolean => spot.source !== undefined;

/** The stretch of another text before one. */
function textBefore(blocks: readonly Block[], { block, spot }: SpotIndex): Spot | undefined {
  const textSpot = blocks[block]?.spots[spot];
  const isOther = (each: Spot) => hasSource(each) && !samePlace(each.source, textSpot?.source);
  const within = blocks[block]?.spots.slice(0, spot).findLast(isOther);
  return within ?? blocks[block - 1]?.spots.findLast(hasSource);
}

/** The path of the text of a stretch. */
function pathOf(spot: Spot, source: Source): Step[] {
  const pointer = spot.pieces.find((piece) => piece.pointer !== undefined)?.pointer;
  if (pointer !== undefined) {
    const all = steps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    return ['registry', ...all];
  }
  const { item, field = '', entry, fragment } = placeOfSource(source);
  const rest = fragment === undefined ? [entry ?? []].flat() : [fragment, 'text'];
  return ['registry', source.section, 'items', item ?? 0, field, ...rest];
}

export function textPlaceOf(blocks: readonly Block[], index: SpotIndex): TextPlace | undefined {
  const spot = blocks[index.block]?.spots[index.spot];
  if (!spot?.source) return undefined;
  const before = textBefore(blocks, index);
  return {
    source: withoutVariable(spot.source),
    key: spotKey(spot),
    path: pathOf(spot, spot.source),
    after: before && spotKey(before),
  };
}

/** The text of a source in a prompt that prints nothing. */
export const writablePlace = (source: Source): TextPlace => {
  const spot: Spot = { source, pieces: [] };
  return { source, key: spotKey(spot), path: pathOf(spot, source), after: undefined };
};

/** Where the value of a variable of a text is set. */
export const valuePlaceOf = (place: TextPlace, variable: string): TextPlace => ({
  ...place,
  source: { ...place.source, variable },
  path: ['state', 'template_vars', `${place.source.section}::${variable}`],
});

/** Where the first stretch is of which something holds. */
export function findSpot(
  blocks: readonly Block[],
  isWanted: (spot: Spot) => boolean,
): SpotIndex | undefined {
  for (const [block, { spots }] of blocks.entries()) {
    const spot = spots.findIndex(isWanted);
    if (spot >= 0) return { block, spot };
  }
  return undefined;
}

/** Where the last stretch is of which something holds. */
export function findLastSpot(
  blocks: readonly Block[],
  isWanted: (spot: Spot) => boolean,
): SpotIndex | undefined {
  const block = blocks.findLastIndex(({ spots }) => spots.some(isWanted));
  const spot = blocks[block]?.spots.findLastIndex(isWanted) ?? -1;
  return spot < 0 ? undefined : { block, spot };
}

/** Whether a stretch is printed by the token, or the injection, of a source. */
const isOfOwner = (spot: Spot | undefined, { token, section, item }: Source): boolean =>
  spot?.source !== undefined &&
  spot.source.token === token &&
  (token !== null || (spot.source.section === section && spot.source.item === item));

/**
 * The blocks of a prompt with a text that prints nothing, after what glue follows the stretch before it;
 * undefined when the text is printed or that stretch is not.
 */
export function withEmptied(blocks: readonly Block[], place: TextPlace): Block[] | undefined {
  const { source, key, after } = place;
  if (findSpot(blocks, (spot) => spotKey(spot) === key)) return undefined;
  const before =
    after === undefined
      ? { block: 0, spot: -1 }
      : findSpot(blocks, (spot) => spotKey(spot) === after);
  if (!before) return undefined;
  const emptied: Spot = { source, emptied: true, pieces: [] };
  const emptiedBlock = blocks[before.block];
  const joined = [before.block, before.block + 1].find((at) => {
    const spots = blocks[at]?.spots;
    return isOfOwner(at === before.block ? spots?.[before.spot] : spots?.find(hasSource), source);
  });
  const first = joined === undefined ? undefined : blocks[joined];
  if (joined !== undefined && first) {
    const from = joined === before.block ? before.spot + 1 : 0;
    const next = first.spots.findIndex((spot, at) => at >= from && hasSource(spot));
    return blocks.with(joined, {
      ...first,
      spots: first.spots.toSpliced(next < 0 ? first.spots.length : next, 0, emptied),
    });
  }
  const at = emptiedBlock && after !== undefined ? before.block + 1 : 0;
  return blocks.toSpliced(at, 0, {
    section: source.section,
    spots: [emptied],
    first: true,
    last: true,
  });
}
