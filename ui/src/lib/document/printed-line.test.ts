import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { blocksOf } from './blocks';
import { lineInJson, linesIn, offsetsOf, printedLine, type PrintedLine } from './printed-line';

const source = (field: string, more = {}) => ({
  token: field === 'text' ? 0 : 1,
  section: 'a',
  item: 0,
  item_name: 'i',
  field,
  ...more,
});
const entry = (at: number, text: string): Segment[] => [
  { text: '- ', source: source('rules', { entry: at }), bullet: true },
  { text, source: source('rules', { entry: at }) },
];
const blocks = blocksOf([
  { text: 'Wait here.\n  Wait at ', source: source('text') },
  { text: 'noon', source: source('text', { variable: 'hour' }) },
  { text: ', "wait" again.', source: source('text') },
  { text: '\n\n' },
  ...entry(0, 'Wait.'),
  { text: '\n' },
  ...entry(1, 'Wait.'),
]);
const text = { section: 'a', item: 0, field: 'text' };
const lineOf = (place: object, nth: number, of: number) =>
  printedLine(blocks, /wait/giu, { place, nth, of });
const words = ({ line, start, end }: PrintedLine) => [line, line.slice(start, end)];

test('a hit is in its line, with the values of variables and without white space around', () => {
  expect(lineOf(text, 1, 3)).toEqual({
    line: 'Wait at noon, "wait" again.',
    start: 0,
    end: 4,
    nth: 0,
  });
  expect(words(lineOf(text, 2, 3)!)[1]).toBe('wait');
});

test('of equal lines each is told apart', () => {
  const rule = (entry: number) => ({ ...text, field: 'rules', entry });
  expect(lineOf(rule(0), 0, 1)).toEqual({ line: '- Wait.', start: 2, end: 6, nth: 0 });
  expect(lineOf(rule(1), 0, 1)).toEqual({ line: '- Wait.', start: 2, end: 6, nth: 1 });
});

test('where a text prints another number of the words, none is its hit', () => {
  expect(lineOf(text, 0, 2)).toBeUndefined();
});

test('of words with a blank before or after, those in the line are shown', () => {
  const lineOf = (pattern: RegExp, of: number) =>
    printedLine(blocks, pattern, { place: text, nth: 0, of });
  expect(lineOf(/ {2}wait at/giu, 1)).toMatchObject({ start: 0, end: 7 });
  const ends = blocksOf([{ text: 'Wait.  ', source: source('text') }]);
  const hit = { place: text, nth: 0, of: 1 };
  expect(printedLine(ends, /wait\. /giu, hit)).toMatchObject({ start: 0, end: 5 });
  const blank = blocksOf([{ text: 'a\n  \nb', source: source('text') }]);
  const none = printedLine(blank, / /giu, { ...hit, of: 2 })!;
  expect(none).toEqual({ line: '', start: 0, end: 0, nth: 0 });
  expect(offsetsOf('a', none.line)).toEqual([]);
});

test('in JSON the words are found behind what is escaped', () => {
  const { line, start, end } = lineInJson(lineOf(text, 2, 3)!);
  expect(line).toBe('Wait at noon, \\"wait\\" again.');
  expect(line.slice(start, end)).toBe('wait');
});

test('a short line is told from one that begins or ends with its words', () => {
  const printed = 'Go home.\nI Go\nGo\n  Go ';
  const lines = blocksOf([{ text: printed, source: source('text') }]);
  const hit = (nth: number) => printedLine(lines, /go/giu, { place: text, nth, of: 4 });
  expect(hit(2)).toEqual({ line: 'Go', start: 0, end: 2, nth: 0 });
  expect(hit(3)).toMatchObject({ line: 'Go', nth: 1 });
  expect(linesIn(printed, 'Go')).toEqual([14, 19]);
  const json = JSON.stringify({ content: 'Go home.\nGo', other: 'Say "Go"', last: 'Go' });
  expect(linesIn(json, 'Go', true).map((at) => json.slice(at - 2, at + 3))).toEqual([
    '\\nGo"',
    ':"Go"',
  ]);
});
