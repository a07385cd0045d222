// The line of the prompt that contains a hit of Find. Texts that are built from the prompt, such as a message
// or the body of a request, are searched for that line to find the hit in them.
import { textOf, type Block } from './blocks';
import { comesFrom, type Place } from './place';

/** Words in a line of the prompt. Offsets are in the line, which has no white space at its ends. */
export interface PrintedLine {
  line: string;
  start: number;
  end: number;
  /** How often the prompt has the line before. */
  nth: number;
}

/** Which of the words in a text is looked for, of as many as the text holds. */
export interface ShownHit {
  place: Place;
  nth: number;
  of: number;
}

/** Where the hit begins and ends in a prompt; undefined if the words occur there more or less often than in
 *  the text, as the value of a variable may add or split some. */
function rangeOf(
  blocks: readonly Block[],
  pattern: RegExp,
  { place, nth, of }: ShownHit,
): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  let count = 0;
  let at = 0;
  for (const { spots } of blocks) {
    for (const { source, pieces } of spots) {
      const text = pieces.map((piece) => piece.text).join('');
      const isMeant = source && comesFrom(source, place);
      for (const { 0: words, index } of isMeant ? text.matchAll(pattern) : []) {
        if (count === nth) found = { start: at + index, end: at + index + words.length };
        count += 1;
      }
      at += text.length;
    }
    // Blocks begin on lines of their own.
    at += 1;
  }
  return count % of === 0 ? found : undefined;
}

/** The line of a prompt that prints a hit. */
export function printedLine(
  blocks: readonly Block[],
  pattern: RegExp,
  hit: ShownHit,
): PrintedLine | undefined {
  const range = rangeOf(blocks, pattern, hit);
  if (!range) return undefined;
  const prompt = blocks.map(textOf).join('\n');
  const from = prompt.lastIndexOf('\n', range.start - 1) + 1;
  const to = prompt.indexOf('\n', range.end);
  const whole = prompt.slice(from, to < 0 ? undefined : to);
  const line = whole.trim();
  const lead = from + whole.indexOf(line);
  const nth = linesIn(prompt, line).filter((at) => at < lead).length;
  // The words may begin or end in the white space around.
  const inLine = (at: number) => Math.min(Math.max(at - lead, 0), line.length);
  return { line, start: inLine(range.start), end: inLine(range.end), nth };
}

/** Where a text holds others, from its start; nowhere where there are none. */
export function offsetsOf(text: string, words: string): number[] {
  const places: number[] = [];
  if (words === '') return places;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    places.push(at);
  }
  return places;
}

/** What is around the words of a line, in a text and in a string of JSON. */
const LINE_ENDS = [/(?:^|\n)[ \t]*$/, /^[ \t]*(?:\n|$)/] as const;
const LINE_ENDS_IN_JSON = [/(?<!\\)(?:"|\\n)[ \t]*$/, /^[ \t]*(?:"|\\n)/] as const;
/** No line is indented further. */
const MOST_INDENTED = 200;

/** Where a text, or JSON, has a line of these words and no others: "Go" is none in "Go home". */
export function linesIn(text: string, words: string, isJson = false): number[] {
  const [before, after] = isJson ? LINE_ENDS_IN_JSON : LINE_ENDS;
  return offsetsOf(text, words).filter((at) => {
    const end = at + words.length;
    return (
      before.test(text.slice(Math.max(at - MOST_INDENTED, 0), at)) &&
      after.test(text.slice(end, end + MOST_INDENTED))
    );
  });
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A line as JSON strings hold it. */
export const lineInJson = ({ line, start, end, nth }: PrintedLine): PrintedLine => ({
  line: escaped(line),
  start: escaped(line.slice(0, start)).length,
  end: escaped(line.slice(0, end)).length,
  nth,
});
