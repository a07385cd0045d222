// What is typed at a caret in a stretch of the prompt goes into one of the texts that meet there: the
// value of a variable, the text before or after it, or the text between two values, which has no letter.
import type { Segment } from '../ipc';
import type { Edge, Spot } from './blocks';
import { textPieces } from './open-spot';

/** What a caret types into. */
export type CaretTarget =
  { kind: 'piece'; piece: Segment; at: number } | ({ kind: 'beside' } & Edge);

/** The variable whose value is typed into. */
export const variableOf = (target: CaretTarget | undefined): string | undefined =>
  target?.kind === 'piece' ? target.piece.source?.variable : undefined;

/** The piece that an edit at a target names. */
export const pieceOf = (target: CaretTarget): Segment =>
  target.kind === 'beside' ? target.variable : target.piece;

const startOf = (piece: Segment): CaretTarget => ({ kind: 'piece', piece, at: 0 });
const endOf = (piece: Segment): CaretTarget => ({ kind: 'piece', piece, at: piece.text.length });
const isValue = (piece: Segment | undefined): boolean => piece?.source?.variable !== undefined;
const isText = (piece: Segment | undefined): boolean =>
  piece !== undefined && !isValue(piece) && piece.fixed === undefined;

/** The targets of a caret at an offset of a stretch, from left to right. */
export function targetsAt(spot: Spot, offset: number): CaretTarget[] {
  if (spot.edge) return [{ kind: 'beside', ...spot.edge }];
  const bullet = spot.pieces.find((piece) => piece.bullet);
  let [left, right]: (Segment | undefined)[] = [];
  let start = 0;
  for (const piece of textPieces(spot)) {
    const end = start + piece.text.length;
    if (start < offset && offset < end) return [{ kind: 'piece', piece, at: offset - start }];
    if (end === offset) left = piece;
    else if (start === offset) right = piece;
    start = end;
  }
  // An entry without text has its bullet alone.
  if (!left && !right) return bullet ? [endOf(bullet)] : [];
  const targets: CaretTarget[] = [];
  if (left && left.fixed === undefined) targets.push(endOf(left));
  if (!isText(left) && !isText(right)) {
    const [value, after] = isValue(left) ? [left, true] : [right, false];
    if (value && isValue(value) && spot.gap === undefined) {
      targets.push({ kind: 'beside', variable: value, after });
    }
  }
  if (right && (isValue(right) || (isText(right) && !isText(left)))) targets.push(startOf(right));
  // Beside a number of a slider.
  if (targets.length === 0) targets.push(right ? startOf(right) : endOf(left as Segment));
  return targets;
}

/** Which way a caret came: to the right, to the left, or by neither. */
export type Heading = 1 | -1 | 0;

/**
 * The target of a caret that comes to a place: it stays in the text that it moved through; one that is
 * put there is in the piece before it.
 */
export function arrivingTarget(targets: readonly CaretTarget[], heading: Heading): number {
  const last = targets.length - 1;
  if (heading !== 0) return heading > 0 ? 0 : last;
  return targets[0]?.kind === 'piece' ? 0 : last;
}
