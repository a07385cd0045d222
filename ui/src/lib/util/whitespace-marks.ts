// Cuts a text where whitespace is to be marked: ends of lines, tabs, and blanks at the end of a line.

/** A stretch of text; a mark names what it is. */
export interface Run {
  text: string;
  mark?: 'nl' | 'tab' | 'blank';
}

const WHITESPACE = /\n|\t+| +(?=\n|$)/g;

/** The runs of a text; joined they are the text. */
export function markWhitespace(text: string): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const found of text.matchAll(WHITESPACE)) {
    if (found.index > at) runs.push({ text: text.slice(at, found.index) });
    const [space] = found;
    runs.push({ text: space, mark: space === '\n' ? 'nl' : space[0] === '\t' ? 'tab' : 'blank' });
    at = found.index + space.length;
  }
  if (at < text.length) runs.push({ text: text.slice(at) });
  return runs;
}
