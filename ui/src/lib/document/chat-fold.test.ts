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
const more = 'm'.repeat(20);

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
  ['several lines', [piece(`A\n${more}`, 'a'), piece('\n\n'), piece('B', 'b')], 'A{21}\n\nB'],
  ['one section in pieces', [piece('A ', 'a'), piece(`b\n${more}`, 'a')], 'A b{21}'],
  [
    'less than the link takes',
    [piece(`A\n${'m'.repeat(19)}`, 'a'), piece('\n\n'), piece('B', 'b')],
    `A\n${'m'.repeat(19)}\n\nB`,
  ],
  [
    'many sections',
    ['a', 'b', 'c', 'd', more].flatMap((name) => [piece(name, name), piece('\n')]),
    'a\nb\nc{23/2}\n',
  ],
  [
    'many short sections',
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [piece(name, name), piece('\n')]),
    'a\nb\nc\nd\ne\n',
  ],
  [
    'the last begun section is folded with those behind it',
    [piece('A', 'a'), piece('B', 'b'), piece(`C\n${more}`, 'c'), piece('D', 'd')],
    'ABC{22/1}',
  ],
])('%s', (_, pieces, expected) => {
  expect(folded(...pieces)).toBe(expected);
  expect(foldable(pieces)).toBe(expected.includes('{'));
});
