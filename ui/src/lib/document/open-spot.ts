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

/** A range of one piece. */
export interface PieceRange {
  piece: Segment;
  start: number;
  end: number;
}

/** A range over several pieces: its parts of the first and of the last one. */
export interface Passage {
  from: PieceRange;
  to: PieceRange;
}

/** Whether the text of a stretch can be edited where it is printed. */
export const isEditable = (spot: Spot | undefined): spot is Spot & { source: Source } =>
  spot?.source !== undefined &&
  spot.expression === undefined &&
  (spot.edge !== undefined || spot.pieces.some((piece) => piece.fixed === undefined));

/** The pieces of a stretch without its bullet. */
export const textPieces = (spot: Spot): Segment[] => spot.pieces.filter((piece) => !piece.bullet);

export const spotText = (spot: Spot): string =>
  textPieces(spot)
    .map((piece) => piece.text)
    .join('');

/**
 * The piece that a range is in; undefined when it covers several. What is typed between two pieces
 * belongs to the one before. An entry without text has its bullet alone.
 */
export function pieceRange(spot: Spot, start: number, end: number): PieceRange | undefined {
  const pieces = textPieces(spot);
  const bullet = spot.pieces.find((piece) => piece.bullet);
  if (pieces.length === 0 && bullet) {
    return { piece: bullet, start: bullet.text.length, end: bullet.text.length };
  }
  let at = 0;
  for (const piece of pieces) {
    const to = at + piece.text.length;
    const isFixedEdge =
      piece.fixed !== undefined && start === end && end === to && to < spotEnd(spot);
    if (start >= at && end <= to && !isFixedEdge) {
      return { piece, start: start - at, end: end - at };
    }
    at = to;
  }
  return undefined;
}

/** The range from within one piece to within a later one; undefined when it is not of this stretch. */
export function passage(spot: Spot, start: number, end: number): Passage | undefined {
  let at = 0;
  let from: PieceRange | undefined;
  for (const piece of textPieces(spot)) {
    const to = at + piece.text.length;
    if (!from && start < to) from = { piece, start: start - at, end: piece.text.length };
    if (from && end > at && end <= to) return { from, to: { piece, start: 0, end: end - at } };
    at = to;
  }
  return undefined;
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

/** Where the text of a stretch starts in the prompt; undefined when it is not of this prompt. */
function startOf(spot: Spot, segments: readonly Segment[]): number | undefined {
  const [first = spot.edge?.gap] = textPieces(spot);
  const bullet = spot.pieces.find((piece) => piece.bullet);
  const own = first ?? bullet;
  let start = 0;
  for (const segment of segments) {
    if (segment === own) return first ? start : start + segment.text.length;
    start += segment.text.length;
  }
  return undefined;
}

/** Where a caret of the prompt is in a stretch; undefined when it is elsewhere. */
export function caretIn(
  spot: Spot,
  segments: readonly Segment[],
  caret: number,
): number | undefined {
  const offset = caret - (startOf(spot, segments) ?? Infinity);
  return offset >= 0 && offset <= spotEnd(spot) ? offset : undefined;
}

/** The stretch that a caret of the prompt is in; of two that meet there, the later one. */
export function spotAtCaret(
  blocks: readonly Block[],
  segments: readonly Segment[],
  caret: number,
): { index: SpotIndex; offset: number } | undefined {
  let found: { index: SpotIndex; offset: number } | undefined;
  for (const [block, { spots }] of blocks.entries()) {
    for (const [index, spot] of spots.entries()) {
      const offset = isEditable(spot) ? caretIn(spot, segments, caret) : undefined;
      if (offset !== undefined) found = { index: { block, spot: index }, offset };
    }
  }
  return found;
}

/** Where what was changed from one prompt to the next ends, the leftmost of its places among equal letters. */
export function endOfChange(before: readonly Segment[], after: readonly Segment[]): number {
  const [old, next] = [before, after].map((pieces) => pieces.map(({ text }) => text).join(''));
  const [a, b] = [old ?? '', next ?? ''];
  let tail = 0;
  const most = Math.min(a.length, b.length);
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return b.length - tail;
}
