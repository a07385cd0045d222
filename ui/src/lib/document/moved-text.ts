// Words that are dragged to another place of their text.
import type { Replacement, TextRange } from './replacement';

/** A move as one replacement, and where the words are afterwards. */
export interface Move extends Replacement {
  words: TextRange;
}

/** Moves a range of a text to an offset of it; undefined where it is. */
export function moveIn(text: string, { start, end }: TextRange, to: number): Move | undefined {
  if (to >= start && to <= end) return undefined;
  const words = text.slice(start, end);
  if (to < start) {
    const passed = text.slice(to, start);
    return { start: to, end, text: words + passed, words: { start: to, end: to + words.length } };
  }
  const passed = text.slice(end, to);
  return { start, end: to, text: passed + words, words: { start: to - words.length, end: to } };
}
