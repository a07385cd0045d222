import { expect, test } from 'vitest';
import { plainLines, wholeLines } from './diff-lines';

test.each([
  ['a\nb', ['a', 'b'], ['a', 'b']],
  ['a\n', ['a'], ['a', '']],
  ['\n', [''], ['', '']],
])('the lines of %j, without and with the last line break', (text, plain, whole) => {
  expect(plainLines(text).map((line) => line.text)).toEqual(plain);
  expect(wholeLines(text).map((line) => line.text)).toEqual(whole);
  expect(wholeLines(text).at(-1)?.number).toBe(whole.length);
});
