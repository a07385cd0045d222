import { expect, test } from 'vitest';
import { whereTheyDiffer } from './shared';

test('texts are shown from the line on which they begin to differ', () => {
  const texts = ['Say it.\n\nYou are dry.', 'Say it.\n\nYou are loud.'];
  expect(texts.map((text) => text.slice(whereTheyDiffer(texts)))).toEqual([
    'You are dry.',
    'You are loud.',
  ]);
});

test('far into a long line, they are shown from the word', () => {
  const begin = 'one two three '.repeat(8);
  const texts = [`${begin}fourteen`, `${begin}fourth`];
  expect(whereTheyDiffer(texts)).toBe(begin.length);
});

test('one text, equal texts and texts that differ at once', () => {
  expect(whereTheyDiffer(['One.'])).toBe(0);
  expect(whereTheyDiffer([])).toBe(0);
  expect(whereTheyDiffer(['Two.', 'Two.'])).toBe(0);
  expect(whereTheyDiffer(['a\nb', 'b\nb'])).toBe(0);
});
