import { expect, test } from 'vitest';
import { differenceStart } from './common-prefix';

test('texts are shown from the line on which they begin to differ', () => {
  const texts = ['Say it.\n\nYou are dry.', 'Say it.\n\nYou are loud.'];
  expect(texts.map((text) => text.slice(differenceStart(texts)))).toEqual([
    'You are dry.',
    'You are loud.',
  ]);
});

test('far into a long line, they are shown from the word', () => {
  const begin = 'one two three '.repeat(8);
  const texts = [`${begin}fourteen`, `${begin}fourth`];
  expect(differenceStart(texts)).toBe(begin.length);
});

test('one text, equal texts and texts that differ at once', () => {
  expect(differenceStart(['One.'])).toBe(0);
  expect(differenceStart([])).toBe(0);
  expect(differenceStart(['Two.', 'Two.'])).toBe(0);
  expect(differenceStart(['a\nb', 'b\nb'])).toBe(0);
});
