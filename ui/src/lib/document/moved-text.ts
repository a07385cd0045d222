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

/** Where moved words are in a text that lost the whitespace that came to an end of it. */
export function movedWords(
  before: string,
  after: string,
  { start, end }: TextRange,
  { words }: Move,
): TextRange {
  const lost = before.length - after.length;
  if (lost <= 0) return words;
  const movedText = before.slice(start, end).trim();
  const at = after.indexOf(movedText, Math.max(words.start - lost, 0));
  return at < 0 ? words : { start: at, end: at + movedText.length };
}
