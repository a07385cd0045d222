import { expect, test } from 'vitest';
import cases from '../../../../tests/cases/pasted_lines.json';
import { pastedEntries } from './pasted-lines';

test.each(cases)('lines pasted into $name', ({ head, lines, tail, entries }) => {
  expect(pastedEntries(head, lines, tail)).toEqual(entries);
});

test('nothing but blank lines leaves an empty row', () => {
  expect(pastedEntries('', '\n \n', '')).toEqual(['']);
});
