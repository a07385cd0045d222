// What was replaced in a text, found by comparing it with what it became.

/** A part of a text, as offsets in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

interface Replacement extends TextRange {
  text: string;
}

/** The smallest replacement that makes one text of another. */
export function replacementBetween(before: string, after: string): Replacement {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
    start += 1;
  }
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
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
