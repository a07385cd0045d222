// The character that a key deletes beside a caret, where the browser cannot tell: the text it draws is
// older than the edits that are on their way.
import type { TextRange } from './replacement';

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The range of the character before or after a caret; empty at the ends of the text. */
export function characterBeside(text: string, caret: number, forward: boolean): TextRange {
  const found = characters.segment(text).containing(forward ? caret : caret - 1);
  if (!found) return { start: caret, end: caret };
  const { index, segment } = found;
  return forward ? { start: caret, end: index + segment.length } : { start: index, end: caret };
}
