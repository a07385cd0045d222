// What a key deletes beside a caret, where the browser cannot tell: the text it draws is older than the edits
// that are on their way, or a line of it is cut into blocks, between which the browser sees no letter.
import type { TextRange } from './replacement';

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The range of the character before or after a caret; empty at the ends of the text. */
export function characterBeside(text: string, caret: number, forward: boolean): TextRange {
  const found = characters.segment(text).containing(forward ? caret : caret - 1);
  if (!found) return { start: caret, end: caret };
  const { index, segment } = found;
  return forward ? { start: caret, end: index + segment.length } : { start: index, end: caret };
}

/** No word is longer: the whole of a long text is not searched. */
const LONGEST = 1000;

/** The range of the word before or after a caret, with the white space between. */
export function wordBeside(text: string, caret: number, forward: boolean): TextRange {
  if (forward) {
    const [word = ''] =
      /^\s*(?:[\p{L}\p{M}\p{N}_]+|\S)?/u.exec(text.slice(caret, caret + LONGEST)) ?? [];
    return { start: caret, end: caret + word.length };
  }
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const [word = ''] = /(?:[\p{L}\p{M}\p{N}_]+|\S)?\s*$/u.exec(before) ?? [];
  return { start: caret - word.length, end: caret };
}

/** Finds what an input of a type such as `deleteWordBackward` deletes beside a caret. */
export const deletedBeside = (inputType: string): typeof characterBeside =>
  inputType.includes('Word') ? wordBeside : characterBeside;
