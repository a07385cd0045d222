import { expect, test } from 'vitest';
import { composed, replacementBetween } from './replacement';

test('a replacement is the smallest that makes one text of another', () => {
  expect(replacementBetween('a cat', 'a cart')).toEqual({ start: 4, end: 4, text: 'r' });
  expect(replacementBetween('a cat', 'a t')).toEqual({ start: 2, end: 4, text: '' });
  expect(replacementBetween('same', 'same')).toEqual({ start: 4, end: 4, text: '' });
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
