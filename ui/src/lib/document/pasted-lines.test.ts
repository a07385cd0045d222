import { expect, test } from 'vitest';
import { pastedEntries } from './pasted-lines';

test.each([
  ['an empty row', '', '- One.\n* Two.\n', '', ['One.', 'Two.']],
  ['the start of a row', '', '- One.\n- Two.\n', 'Be brief.', ['One.', 'Two.', 'Be brief.']],
  ['the middle', 'Never ', 'ever\n- Do not\n', 'explain.', ['Never ever', 'Do not', 'explain.']],
  [
    'the end',
    'Be brief.',
    ' Always.\r\n\n  2. Stay calm. \n* Wait.\n',
    '',
    ['Be brief. Always.', 'Stay calm.', 'Wait.'],
  ],
  ['a line that begins with a number', '', '1.5 litres\n3) cups', '', ['1.5 litres', 'cups']],
  ['nothing but blank lines', '', '\n \n', '', ['']],
])('lines pasted into %s', (_where, head, lines, tail, entries) => {
  expect(pastedEntries(head, lines, tail)).toEqual(entries);
});
