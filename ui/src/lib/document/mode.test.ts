// Modes as text, there and back.
import { expect, test } from 'vitest';
import { parseMode, writeMode, type Mode } from './mode';

test.each<[string, Mode]>([
  ['all', { kind: 'all' }],
  ['none', { kind: 'none' }],
  ['index:3', { kind: 'entries', entries: [3] }],
  ['index:x', { kind: 'entries', entries: [0] }],
  ['indices:2,0,4', { kind: 'entries', entries: [2, 0, 4] }],
  ['random:2', { kind: 'random', count: 2 }],
  ['random:0', { kind: 'random', count: 1 }],
  ['random:', { kind: 'random', count: 1 }],
  ['sometimes', { kind: 'all' }],
])('%s', (text, mode) => {
  expect(parseMode(text)).toEqual(mode);
});

test.each(['all', 'none', 'index:3', 'indices:2,0', 'random:4'])(
  '%s is written as it was',
  (text) => {
    expect(writeMode(parseMode(text))).toBe(text);
  },
);
