import { expect, test } from 'vitest';
import { characterBeside, wordBeside } from './text-beside';

const family = '👨‍👩‍👧';

test.each([
  ['a letter', 'abc', 2, [1, 2], [2, 3]],
  ['characters of several code points', `a${family}e\u0301`, 1 + family.length, [1, 9], [9, 11]],
  ['the ends of the text', 'a', 0, [0, 0], [0, 1]],
  ['an empty text', '', 0, [0, 0], [0, 0]],
])('beside a caret is %s', (_, text, caret, before, after) => {
  const range = (forward: boolean) => {
    const { start, end } = characterBeside(text, caret, forward);
    return [start, end];
  };
  expect(range(false)).toEqual(before);
  expect(range(true)).toEqual(after);
});

test.each([
  ['words', 'one two  three', 9, [4, 9], [9, 14]],
  ['a mark', 'one, two', 4, [3, 4], [4, 8]],
  ['the ends of the text', 'one', 0, [0, 0], [0, 3]],
])('beside a caret are %s', (_, text, caret, before, after) => {
  const range = (forward: boolean) => {
    const { start, end } = wordBeside(text, caret, forward);
    return [start, end];
  };
  expect(range(false)).toEqual(before);
  expect(range(true)).toEqual(after);
});
