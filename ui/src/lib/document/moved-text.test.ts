import { expect, test } from 'vitest';
import { moveIn, movedWords } from './moved-text';

const TEXT = 'one two three';

test.each([
  ['back', { start: 4, end: 8 }, 0, 'two one three', 'two '],
  ['forth', { start: 0, end: 4 }, 8, 'two one three', 'one '],
  ['to the end', { start: 0, end: 3 }, 13, ' two threeone', 'one'],
])('words go %s in one replacement', (_, from, to, after, words) => {
  const moved = moveIn(TEXT, from, to);
  const text = TEXT.slice(0, moved?.start) + (moved?.text ?? '') + TEXT.slice(moved?.end);
  expect(text).toBe(after);
  expect(text.slice(moved?.words.start, moved?.words.end)).toBe(words);
});

test.each([4, 6, 8])('words stay where they are dropped on themselves, at %i', (to) => {
  expect(moveIn(TEXT, { start: 4, end: 8 }, to)).toBeUndefined();
});

test.each([
  ['to the end', { start: 0, end: 4 }, 13, 'two threeone', 'one'],
  ['to the start', { start: 3, end: 7 }, 0, 'twoone three', 'two'],
])('words that lose whitespace %s are selected without it', (_, from, to, after, words) => {
  const move = moveIn(TEXT, from, to);
  const { start, end } = movedWords(TEXT, after, from, move!);
  expect(after.slice(start, end)).toBe(words);
});
