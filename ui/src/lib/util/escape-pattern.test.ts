import { expect, test } from 'vitest';
import { escapePattern } from './escape-pattern';

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));

test.each(PRINTABLE)('%j is found as it is written', (character) => {
  const pattern = new RegExp(escapePattern(`a${character}b`), 'giu');
  const text = PRINTABLE.map((each) => `a${each}b`).join('\n');
  const found = [...text.matchAll(pattern)].map(({ 0: words }) => words.toLowerCase());
  const letter = character.toLowerCase();
  expect(new Set(found)).toEqual(new Set([`a${letter}b`]));
});

test('all punctuation in a row is found once', () => {
  const row = PRINTABLE.join('');
  expect([...`${row}${row}`.matchAll(new RegExp(escapePattern(row), 'gu'))]).toHaveLength(2);
});
