// Cutting a text at the whitespace that is marked.
import { expect, test } from 'vitest';
import { markWhitespace } from './whitespace-marks';

test.each([
  ['a\nb', ['a', 'nl', 'b']],
  ['a  \n\tb ', ['a', 'blank', 'nl', 'tab', 'b', 'blank']],
  ['', []],
])('whitespace of %j', (text, expected) => {
  const runs = markWhitespace(text);
  expect(runs.map((run) => run.mark ?? run.text)).toEqual(expected);
  expect(runs.map((run) => run.text).join('')).toBe(text);
});
