// Folding a prompt inside a chat.
import { expect, test } from 'vitest';
import type { ChatPiece } from '../ipc';
import { fold, foldable } from './chat-fold';

const piece = (text: string, section?: string): ChatPiece => ({
  text,
  special: false,
  generated: false,
  place: null,
  source:
    section === undefined ? null : { token: 0, section, item: 0, item_name: '#0', field: 'text' },
});

/** A folded text with `{n}` for what is left out of a section, `{n/s}` for sections. */
function folded(...pieces: ChatPiece[]): string {
  return fold(pieces)
    .map((each) =>
      each.kind === 'piece'
        ? each.text
        : `{${each.characters}${each.sections > 0 ? `/${each.sections}` : ''}}`,
    )
    .join('');
}

const long = 'a'.repeat(80);

test.each([
  ['nothing of a registry', [piece('one\n'), piece('two')], 'one\ntwo'],
  [
    'short sections',
    [piece('<'), piece('A', 'a'), piece('\n'), piece('B', 'b'), piece('>')],
    '<A\nB>',
  ],
  ['a long line', [piece(long, 'a')], `${'a'.repeat(40)}{40}`],
  ['a long line of words', [piece('word '.repeat(12), 'a')], `${'word '.repeat(7)}word{21}`],
  ['one long word behind a short one', [piece(`a ${long}`, 'a')], `a ${'a'.repeat(38)}{42}`],
  ['signs of two units', [piece(`a${'😀'.repeat(40)}`, 'a')], `a${'😀'.repeat(19)}{21}`],
  ['several lines', [piece('A\nmore', 'a'), piece('\n\n'), piece('B', 'b')], 'A{5}\n\nB'],
  ['one section in pieces', [piece('A ', 'a'), piece('b\nc', 'a')], 'A b{2}'],
  [
    'many sections',
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [piece(name, name), piece('\n')]),
    'a\nb\nc{4/2}\n',
  ],
  [
    'the last begun section is folded with those behind it',
    [piece('A', 'a'), piece('B', 'b'), piece('C\nc', 'c'), piece('D', 'd')],
    'ABC{3/1}',
  ],
])('%s', (_, pieces, expected) => {
  expect(folded(...pieces)).toBe(expected);
  expect(foldable(pieces)).toBe(expected.includes('{'));
});
