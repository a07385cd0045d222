// Words found in lines of text, and the lines cut at them.
import { expect, test } from 'vitest';
import { plainLines } from './diff-lines';
import { lineHits, partsOfLine } from './line-hits';

test.each([
  [
    'a',
    'A cat\nhas a',
    [
      [0, 0],
      [0, 3],
      [1, 1],
      [1, 4],
    ],
  ],
  ['": {', '"x": {\n"y": 1', [[0, 2]]],
  ['.', 'a.b', [[0, 1]]],
  ['\\n', 'a\\nb', [[0, 1]]],
  ['b-c', 'ab-c', [[0, 1]]],
  ['i', 'İi', [[0, 1]]],
  ['', 'a', []],
])('%j in %j', (words, text, expected) => {
  const hits = lineHits(plainLines(text), words);
  expect(hits.map(({ line, start }) => [line, start])).toEqual(expected);
  expect(hits.every(({ start, end }) => end - start === words.length)).toBe(true);
});

test('words in a folded line are not shown', () => {
  expect(lineHits([{ kind: 'hidden', text: 'a', count: 3 }], 'a')).toEqual([]);
});

test('a line is cut at its hits', () => {
  const hits = lineHits(plainLines('a cat'), 'a');
  const parts = partsOfLine('a cat', hits);
  expect(parts.map(({ text, hit }) => (hit ? `[${text}]` : text))).toEqual([
    '[a]',
    ' c',
    '[a]',
    't',
  ]);
  expect(partsOfLine('')).toEqual([]);
});
