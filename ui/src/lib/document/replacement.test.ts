import { expect, test } from 'vitest';
import { composed, replacementBetween, selectionAfter } from './replacement';

test('a replacement is the smallest that makes one text of another', () => {
  expect(replacementBetween('a cat', 'a cart')).toEqual({ start: 4, end: 4, text: 'r' });
  expect(replacementBetween('a cat', 'a t')).toEqual({ start: 2, end: 4, text: '' });
  expect(replacementBetween('same', 'same')).toEqual({ start: 4, end: 4, text: '' });
});

test('a replacement goes through the middle of no pair', () => {
  // U+1F000 and U+1F400 have the second half in common, U+1F000 and U+1F001 the first.
  expect(replacementBetween('a\u{1F000}b', 'a\u{1F400}b')).toEqual({
    start: 1,
    end: 3,
    text: '\u{1F400}',
  });
  expect(replacementBetween('\u{1F000}', '\u{1F001}')).toEqual({
    start: 0,
    end: 2,
    text: '\u{1F001}',
  });
});

test('an input method writes where it began, whatever letters are beside it', () => {
  expect(composed('aab', 'aaab', { start: 1, end: 1 })).toEqual({ start: 1, end: 1, text: 'a' });
  expect(composed('a cat', 'a dog', { start: 2, end: 5 })).toEqual({
    start: 2,
    end: 5,
    text: 'dog',
  });
  expect(composed('cat', 'cat', { start: 1, end: 1 })).toEqual({ start: 1, end: 1, text: '' });
});

test('what an input method changed elsewhere is found by comparing', () => {
  expect(composed('ka is', 'か is', { start: 5, end: 5 })).toEqual({
    start: 0,
    end: 2,
    text: 'か',
  });
});

test.each([
  ['an undo of what was typed there', 'with Dabanother', 'with another', 8, 5],
  ['a redo of it', 'with another', 'with Dabanother', 5, 8],
  ['an undo beside equal letters', 'hello', 'helo', 4, 3],
  ['an undo of the first of two equal letters', 'hello', 'helo', 3, 2],
  ['a redo beside equal letters', 'helo', 'hello', 3, 4],
  ['a change after it', 'one two', 'one two three', 2, 2],
  ['a change before it', 'one two', 'the one two', 5, 9],
  ['an undo of a letter beside one of the same half', '\u{1F400}\u{1F000}', '\u{1F400}', 2, 2],
  ['an undo of a letter that becomes one of the same half', 'a\u{1F000}', 'a\u{1F400}', 3, 3],
  ['a replacement around it', 'one two three', 'one 2 three', 6, 5],
])('the caret after %s', (_, before, after, from, to) => {
  expect(selectionAfter(before, after, { start: from, end: from })).toEqual({ start: to, end: to });
});

test('a selection stays at its letters', () => {
  const selection = { start: 4, end: 7, backward: true };
  expect(selectionAfter('one two', 'so, one two', selection)).toEqual({
    ...selection,
    start: 8,
    end: 11,
  });
});

test('an undo elsewhere leads to what it changed', () => {
  const at = { start: 1, end: 1 };
  expect(selectionAfter('one two three', 'one two', at, true)).toEqual({ start: 7, end: 7 });
  expect(selectionAfter('one two', 'the one two', { start: 6, end: 6 }, true)).toEqual({
    start: 4,
    end: 4,
  });
});
