// Expectations that wait to be filled in, and the edits that move, add and take them away.
import { expect, test } from 'vitest';
import type { Edit, JsonValue } from '../ipc';
import { afterEdits, readUnfilled, writtenUnfilled } from './unfilled';

const path = (check: number, expectation: number) => `/checks/${check}/expect/${expectation}`;
const EMPTY: JsonValue = {
  name: 'new',
  expect: [{ contains: '' }, { contains: 'a' }, { share: '' }],
};

test.each<[string, Edit, own: boolean, after: string[]]>([
  ['comes before', { kind: 'insert', path: ['checks', 0], value: EMPTY }, false, [path(2, 1)]],
  ['comes after', { kind: 'insert', path: ['checks', 2], value: {} }, true, [path(1, 1)]],
  [
    'is added',
    { kind: 'insert', path: ['checks', 2], value: EMPTY },
    true,
    [path(1, 1), path(2, 0), path(2, 2)],
  ],
  ['goes before', { kind: 'remove', path: ['checks', 0] }, true, [path(0, 1)]],
  ['goes', { kind: 'remove', path: ['checks', 1] }, true, []],
  [
    'loses an expectation',
    { kind: 'remove', path: ['checks', 1, 'expect', 0] },
    true,
    [path(1, 0)],
  ],
  [
    'gets an expectation',
    { kind: 'insert', path: ['checks', 1, 'expect', 0], value: { matches: '' } },
    true,
    [path(1, 2), path(1, 0)],
  ],
  [
    'gets its first expectation',
    { kind: 'set', path: ['checks', 0, 'expect'], value: [{ contains: '' }] },
    true,
    [path(1, 1), path(0, 0)],
  ],
  ['is replaced', { kind: 'set', path: ['checks', 1], value: EMPTY }, false, []],
  [
    'is typed into',
    { kind: 'set', path: ['checks', 1, 'expect', 1, 'contains'], value: '' },
    true,
    [path(1, 1)],
  ],
  [
    'has another kind of expectation that waits',
    { kind: 'set', path: ['checks', 1, 'expect', 1], value: { matches: '' } },
    true,
    [path(1, 1)],
  ],
  [
    'has another kind of expectation that was left',
    { kind: 'set', path: ['checks', 1, 'expect', 0], value: { matches: '' } },
    true,
    [path(1, 1)],
  ],
  ['is renamed', { kind: 'set', path: ['checks', 1, 'name'], value: '' }, true, [path(1, 1)]],
])('a check %s', (_name, edit, isOwnEdit, after) => {
  expect([...afterEdits(new Set([path(1, 1)]), [edit], isOwnEdit)]).toEqual(after);
});

test('what was written down is read where it still says nothing', () => {
  const tree = { checks: [{ expect: [{ contains: 'a' }, { contains: '' }] }] };
  const written = writtenUnfilled(new Set([path(0, 0), path(0, 1), path(3, 0)]));
  expect([...readUnfilled(written, tree)]).toEqual([path(0, 1)]);
  expect([...readUnfilled(undefined, tree)]).toEqual([]);
  expect(writtenUnfilled(new Set())).toBe('');
});
