// What is left of a difference when only the lines around its changes are shown.
import { expect, test } from 'vitest';
import type { Part, PartKind } from '../ipc';
import { nearChanges } from './diff-changes';

const part = (kind: PartKind, text: string): Part => ({ kind, text });
const printed = (parts: Part[]) =>
  nearChanges(parts)
    .map(({ kind, text }) => ({ same: text, removed: `[${text}]`, added: `{${text}}` })[kind])
    .join('');

test.each<[string, Part[], string]>([
  [
    'the line before and the line after stay',
    [part('same', 'a\nb\nc '), part('removed', 'x'), part('added', 'y'), part('same', ' d\ne\nf')],
    'b\nc [x]{y} d\ne',
  ],
  [
    'what lies between two changes is shortened',
    [part('added', 'x'), part('same', '\na\nb\nc\nd\n'), part('removed', 'y')],
    '{x}\na\n…\nd\n[y]',
  ],
  [
    'a short stretch between two changes stays',
    [part('added', 'x'), part('same', '\na\n'), part('removed', 'y')],
    '{x}\na\n[y]',
  ],
  ['a text without a change is left out', [part('same', 'a\nb\nc')], ''],
  [
    'a stretch of another section beside the change is left out',
    [part('same', 'a\nb\n'), part('same', 'c\nd\n'), part('added', 'x')],
    'd\n{x}',
  ],
  [
    'a line break between two changes stays, whatever it comes from',
    [
      part('added', 'x'),
      part('same', ' at 10.'),
      part('same', '\n'),
      part('same', '- People\n'),
      part('removed', 'y'),
    ],
    '{x} at 10.\n- People\n[y]',
  ],
  [
    'the gap lies between the parts of a shortened stretch',
    [
      part('added', 'x'),
      part('same', 'a\nb\nc'),
      part('same', '\nd\n'),
      part('same', 'e\n'),
      part('added', 'y'),
    ],
    '{x}a\nb\n…\ne\n{y}',
  ],
])('%s', (_, parts, expected) => {
  expect(printed(parts)).toBe(expected);
});
