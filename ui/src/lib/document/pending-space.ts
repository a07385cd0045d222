// White space in an open text of the prompt that the prompt does not hold until more is typed.
import type { TextRange } from './replacement';

export interface PendingSpace {
  at: number;
  text: string;
}

/** A text as it is drawn. */
export const withPending = (words: string, pending: PendingSpace | undefined): string =>
  pending ? words.slice(0, pending.at) + pending.text + words.slice(pending.at) : words;

/** Where a selection that leaves it is once it is dropped; undefined while it is within. */
export function leftPending<R extends TextRange>(
  { at, text }: PendingSpace,
  range: R,
): R | undefined {
  const last = at + text.length;
  if (range.start >= at && range.end <= last) return undefined;
  const back = (offset: number) => (offset >= last ? offset - text.length : Math.min(offset, at));
  return { ...range, start: back(range.start), end: back(range.end) };
}

/** What waits with words in place of a range. */
export function pendingWith({ at, text }: PendingSpace, range: TextRange, words: string): string {
  const from = Math.max(range.start - at, 0);
  const to = Math.min(range.end - at, text.length);
  return text.slice(0, from) + words + text.slice(to);
}

/** White space at the end of words that were written, when the prompt before the caret ends without it. */
export const spaceBehind = (words: string, printed: string): string =>
  words.trim() === '' || printed !== printed.trimEnd() ? '' : words.slice(words.trimEnd().length);
