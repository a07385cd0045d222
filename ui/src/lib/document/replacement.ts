// What was replaced in a text, found by comparing it with what it became.
import { commonEnd, commonStart, splitsPair } from '../util/common-ends';

/** A part of a text, as offsets in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** A selection in a text. */
export interface OpenSelection extends TextRange {
  /** Whether it was made from its end, which stays while its start is moved. */
  backward?: boolean;
}

export interface Replacement extends TextRange {
  text: string;
}

/** The smallest replacement that makes one text of another, never through the middle of a pair. */
export function replacementBetween(before: string, after: string): Replacement {
  const start = commonStart(before, after);
  const tail = commonEnd(before, after, start);
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/**
 * What an input method wrote: over the selection it began with, where that explains what the text
 * became. If the same letter is beside it, comparing alone is ambiguous.
 */
export function composed(before: string, after: string, begun: TextRange): Replacement {
  const tail = before.length - begun.end;
  const end = after.length - tail;
  const isThere =
    end >= begun.start &&
    after.slice(0, begun.start) === before.slice(0, begun.start) &&
    after.slice(end) === before.slice(begun.end);
  if (!isThere) return replacementBetween(before, after);
  return { ...begun, text: after.slice(begun.start, end) };
}

/** Where a range of a text is after the text became another one. */
function shifted({ start, end }: TextRange, before: string, after: string): TextRange {
  const made = replacementBetween(before, after);
  const by = made.text.length - (made.end - made.start);
  const shift = (at: number) => (at >= made.end ? at + by : at);
  return { start: shift(start), end: shift(end) };
}

/** Where a selection is after its text became another one meanwhile: that of a whole text stays whole. */
export function carried<R extends TextRange>(range: R, before: string, after: string): R {
  const isWhole = range.start === 0 && range.end === before.length && before !== '';
  if (isWhole) return { ...range, end: after.length };
  return { ...range, ...shifted(range, before, after) };
}

/**
 * Where a selection is after its text became another one without it: behind what was replaced where
 * that was undone or where it touches that, else at the letters it was at.
 */
export function selectionAfter<R extends TextRange>(
  before: string,
  after: string,
  range: R,
  undone = false,
): R {
  const { start, end, text } = replacementBetween(before, after);
  const by = text.length - (end - start);
  // Among equal letters a replacement has several places, to the left of this one.
  let slack = 0;
  const slides = () =>
    start > slack &&
    before[start - 1 - slack] === before[end - 1 - slack] &&
    after[start - 1 - slack] === after[start + text.length - 1 - slack];
  while (slides()) slack += 1;
  if (splitsPair(before, start - slack)) slack -= 1;
  const isBefore = range.end < start - slack;
  if (!undone && isBefore) return range;
  if (!undone && range.start > end)
    return { ...range, start: range.start + by, end: range.end + by };
  const left = Math.min(Math.max(end - range.end, 0), slack);
  const caret = start - left + text.length;
  return { ...range, start: caret, end: caret };
}
