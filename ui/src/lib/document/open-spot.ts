// Offsets in a stretch of the prompt that is edited: which of its pieces an offset is in, and where
// in the prompt. Offsets count UTF-16 units of the text after the bullet. The core says which text
// can be edited.
import type { Segment, Source } from '../ipc';
import type { Block, Spot } from './blocks';

/** Index of a stretch among those drawn. */
export interface SpotIndex {
  block: number;
  spot: number;
}

export const isSameIndex = (one: SpotIndex | undefined, other: SpotIndex): boolean =>
  one?.block === other.block && one.spot === other.spot;

/** A range of one piece. */
export interface PieceRange {
  piece: Segment;
  start: number;
  end: number;
}

/** Whether the text of a stretch can be edited where it is printed. */
export const isEditable = (spot: Spot | undefined): spot is Spot & { source: Source } =>
  spot?.source !== undefined &&
  spot.expression === undefined &&
  (spot.edge !== undefined ||
    spot.emptied === true ||
    spot.pieces.some((piece) => piece.fixed === undefined));

/** The text of pieces, as of a prompt. */
export const wordsOf = (pieces: readonly Segment[]): string =>
  pieces.map(({ text }) => text).join('');

/** The pieces of a stretch without its bullet. */
export const textPieces = (spot: Spot): Segment[] => spot.pieces.filter((piece) => !piece.bullet);

export const spotText = (spot: Spot): string => wordsOf(textPieces(spot));

/** The piece that a selection is in; undefined when it covers several. */
export function pieceRange(spot: Spot, start: number, end: number): PieceRange | undefined {
  let at = 0;
  for (const piece of textPieces(spot)) {
    const to = at + piece.text.length;
    if (start >= at && start < to && end <= to) return { piece, start: start - at, end: end - at };
    at = to;
  }
  return undefined;
}

/** Where a piece starts in the text of its stretch. */
export function pieceStart(spot: Spot, piece: Segment): number {
  const pieces = textPieces(spot);
  const before = pieces.slice(0, Math.max(pieces.indexOf(piece), 0));
  return before.reduce((length, { text }) => length + text.length, 0);
}

const spotEnd = (spot: Spot): number => spotText(spot).length;

/** A part of a stretch as it is written: the values of variables that are whole in it as their names. */
export function writtenText(spot: Spot, start: number, end: number): string {
  let at = 0;
  let written = '';
  for (const { text, source } of textPieces(spot)) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, text.length)];
    const isWhole = from === 0 && to === text.length && text !== '';
    if (isWhole && source?.variable !== undefined) written += `{${source.variable}}`;
    else if (from < to) written += text.slice(from, to);
    at += text.length;
  }
  return written;
}

/**
 * Names a stretch whatever is typed into it: a place beside a variable without a value is one of its
 * text, which begins there with the first letter.
 */
export function spotKey({ source, gap }: Spot): string {
  if (!source) return '';
  const { token, section, item, field, entry, fragment } = source;
  return [token, section, item, field, entry, fragment, gap].join('\u001f');
}

/** Whether both are printed entries of one list. */
export const isSameList = (one: Source | undefined, other: Source | undefined): boolean =>
  one?.entry !== undefined &&
  other?.entry !== undefined &&
  one.token === other.token &&
  one.section === other.section &&
  one.item === other.item &&
  one.field === other.field;

/** Where each piece of a prompt starts. */
export function startsOf(segments: readonly Segment[]): Map<Segment, number> {
  const starts = new Map<Segment, number>();
  let start = 0;
  for (const segment of segments) {
    starts.set(segment, start);
    start += segment.text.length;
  }
  return starts;
}

/** Where a caret of the prompt is in a stretch; undefined when it is elsewhere or not of this prompt. */
function offsetIn(
  spot: Spot,
  startOf: (piece: Segment) => number | undefined,
  caret: number,
): number | undefined {
  const [first = spot.edge?.variable] = textPieces(spot);
  const bullet = spot.pieces.find((piece) => piece.bullet);
  const anchor = first ?? bullet;
  const start = anchor && startOf(anchor);
  if (!anchor || start === undefined) return undefined;
  const offset = caret - (anchor === bullet ? start + anchor.text.length : start);
  return offset >= 0 && offset <= spotEnd(spot) ? offset : undefined;
}

/** Where a caret of the prompt is in a stretch; undefined when it is elsewhere. */
export function caretIn(
  spot: Spot,
  segments: readonly Segment[],
  caret: number,
): number | undefined {
  const startOf = (piece: Segment) => {
    let start = 0;
    for (const segment of segments) {
      if (segment === piece) return start;
      start += segment.text.length;
    }
    return undefined;
  };
  return offsetIn(spot, startOf, caret);
}

/** The stretch before or after another in its block; glue is none. */
export function spotBeside(
  blocks: readonly Block[],
  { block, spot }: SpotIndex,
  next: boolean,
): Spot | undefined {
  const spots = blocks[block]?.spots ?? [];
  return next ? spots.slice(spot + 1).find(isText) : spots.slice(0, spot).findLast(isText);
}

const isText = ({ source }: Spot): boolean => source !== undefined;

/** Whether the prompt goes on with another text. */
export const goesOn = (blocks: readonly Block[], { block, spot }: SpotIndex): boolean =>
  blocks.slice(block + 1).some(({ spots }) => spots.some(isText)) ||
  (blocks[block]?.spots.slice(spot + 1).some(isText) ?? false);

/** A place in a stretch. */
export interface SpotCaret {
  index: SpotIndex;
  offset: number;
}

/** The stretches that a caret of the prompt is in: where some meet, it is in all of them. */
export function spotsAtCaret(
  blocks: readonly Block[],
  segments: readonly Segment[],
  caret: number,
): SpotCaret[] {
  const starts = startsOf(segments);
  const startOf = (piece: Segment) => starts.get(piece);
  return blocks.flatMap(({ spots }, block) =>
    spots.flatMap((spot, index) => {
      const offset = isEditable(spot) ? offsetIn(spot, startOf, caret) : undefined;
      return offset === undefined ? [] : [{ index: { block, spot: index }, offset }];
    }),
  );
}

/** What was written last. */
interface Written {
  /** The variable whose value it went into. */
  variable: string | undefined;
  /** The variable without a value whose name ends it. */
  behind: string | undefined;
}

/**
 * The stretch that a caret of the prompt is in after an edit of the value of a variable, or of a text;
 * `open` is the one that was edited, while it is printed at its index.
 */
export function spotAfterEdit(
  blocks: readonly Block[],
  segments: readonly Segment[],
  caret: number,
  open: SpotIndex | undefined,
  { variable, behind }: Written,
): SpotCaret | undefined {
  const spotAt = ({ block, spot }: SpotIndex) => blocks[block]?.spots[spot];
  if (behind !== undefined) {
    const isBehind = ({ block, spot }: SpotIndex) =>
      spotAt({ block, spot: spot - 1 })?.gap === behind;
    const found = spotsAtCaret(blocks, segments, caret).find(({ index }) => isBehind(index));
    if (found) return found;
  }
  const openSpot = open && spotAt(open);
  const offset = openSpot && caretIn(openSpot, segments, caret);
  const stays = open && offset !== undefined ? { index: open, offset } : undefined;
  if (stays && variable === undefined) return stays;
  const atCaret = spotsAtCaret(blocks, segments, caret);
  // Where a value lost its last letter, the next one is meant for it.
  const isEmptied = (spot: Spot | undefined) => variable !== undefined && spot?.gap === variable;
  return atCaret.find(({ index }) => isEmptied(spotAt(index))) ?? stays ?? atCaret.at(-1);
}

/** Finds a stretch again after others came or went: by its words where it is an entry of a list. */
export function spotFoundAgain(
  blocks: readonly Block[],
  key: string,
  source: Source | undefined,
  words: string,
): SpotIndex | undefined {
  let found: SpotIndex | undefined;
  for (const [block, { spots }] of blocks.entries()) {
    for (const [spot, each] of spots.entries()) {
      const isSame = spotKey(each) === key;
      if (isSame && spotText(each) === words) return { block, spot };
      const isMoved = isSameList(each.source, source) && spotText(each) === words;
      if (isMoved || (isSame && !found)) found = { block, spot };
    }
  }
  return found;
}
