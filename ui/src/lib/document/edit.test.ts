// Edits on the page's tree: what each makes, what each refuses, what it shares with the tree before.
import { expect, test } from 'vitest';
import type { Edit, JsonValue } from '../ipc';
import cases from '../ipc/edits.cases.json';
import { apply, applyAll, EditError, spliceBetween } from './edit';

const tree = (): JsonValue => ({
  registry: { a: { items: [{ id: 'x', text: 'one' }, { id: 'y' }] }, b: { items: [] } },
  state: {},
});

test.each<[string, Edit, (string | number)[], JsonValue | undefined]>([
  [
    'sets a key',
    { kind: 'set', path: ['registry', 'a', 'n'], value: 1 },
    ['registry', 'a', 'n'],
    1,
  ],
  [
    'makes missing objects',
    { kind: 'set', path: ['state', 'p', 'q'], value: true },
    ['state'],
    { p: { q: true } },
  ],
  [
    'sets an entry',
    { kind: 'set', path: ['registry', 'a', 'items', 1], value: 2 },
    ['registry', 'a', 'items', 1],
    2,
  ],
  [
    'inserts an entry',
    { kind: 'insert', path: ['registry', 'b', 'items', 0], value: 'z' },
    ['registry', 'b', 'items'],
    ['z'],
  ],
  [
    'removes an entry',
    { kind: 'remove', path: ['registry', 'a', 'items', 0] },
    ['registry', 'a', 'items'],
    [{ id: 'y' }],
  ],
  [
    'removes a key',
    { kind: 'remove', path: ['registry', 'a', 'items', 0, 'text'] },
    ['registry', 'a', 'items', 0],
    { id: 'x' },
  ],
  [
    'moves an entry',
    { kind: 'move', path: ['registry', 'a', 'items'], from: 0, to: 1 },
    ['registry', 'a', 'items', 1, 'id'],
    'x',
  ],
  [
    'splices a text',
    { kind: 'splice', path: ['registry', 'a', 'items', 0, 'text'], at: 1, delete: 1, insert: 'NN' },
    ['registry', 'a', 'items', 0, 'text'],
    'oNNe',
  ],
])('%s', (_name, edit, path, expected) => {
  let current: unknown = apply(tree(), edit);
  for (const step of path) current = (current as Record<string | number, unknown>)[step];
  expect(current).toEqual(expected);
});

test.each<[string, Edit, string[]]>([
  [
    'a renamed key keeps its place',
    { kind: 'rename_key', path: ['registry'], from: 'a', to: 'c' },
    ['c', 'b'],
  ],
  [
    'keys take another order',
    { kind: 'reorder_keys', path: ['registry'], keys: ['b', 'a'] },
    ['b', 'a'],
  ],
  [
    'a key goes where it is put',
    { kind: 'insert', path: ['registry', 'm'], value: 0, position: 1 },
    ['a', 'm', 'b'],
  ],
  ['a key goes to the end', { kind: 'insert', path: ['registry', 'm'], value: 0 }, ['a', 'b', 'm']],
])('%s', (_name, edit, keys) => {
  const after = apply(tree(), edit) as { registry: object };
  expect(Object.keys(after.registry)).toEqual(keys);
});

test.each<[string, Edit]>([
  ['an entry past the end', { kind: 'set', path: ['registry', 'a', 'items', 2], value: 0 }],
  ['an insert past the end', { kind: 'insert', path: ['registry', 'a', 'items', 3], value: 0 }],
  ['an insert at a taken key', { kind: 'insert', path: ['registry', 'a'], value: 0 }],
  ['a missing key', { kind: 'remove', path: ['registry', 'c'] }],
  ['a key of a list', { kind: 'remove', path: ['registry', 'a', 'items', 'x'] }],
  ['a missing way', { kind: 'remove', path: ['registry', 'c', 'd'] }],
  ['a name that is taken', { kind: 'rename_key', path: ['registry'], from: 'a', to: 'b' }],
  ['keys that are not all', { kind: 'reorder_keys', path: ['registry'], keys: ['a'] }],
  ['keys named twice', { kind: 'reorder_keys', path: ['registry'], keys: ['a', 'a'] }],
  [
    'a splice past the end',
    { kind: 'splice', path: ['registry', 'a', 'items', 0, 'text'], at: 2, delete: 2, insert: '' },
  ],
  ['an inherited key', { kind: 'remove', path: ['registry', 'toString'] }],
])('refuses %s', (_name, edit) => {
  expect(() => apply(tree(), edit)).toThrow(EditError);
});

test('the tree before stays as it was, and what is not touched is shared', () => {
  const before = tree() as { registry: { a: unknown; b: unknown } };
  const copy = structuredClone(before);
  const after = apply(before as JsonValue, {
    kind: 'set',
    path: ['registry', 'a', 'items', 0, 'text'],
    value: 'two',
  }) as typeof before;
  expect(before).toEqual(copy);
  expect(after.registry.b).toBe(before.registry.b);
  expect(after.registry.a).not.toBe(before.registry.a);
});

test.each([
  ['', 'a'],
  ['one two', 'one three two'],
  ['aaa', 'aa'],
  ['a😀b', 'a😁b'],
  ['😀😀', '😀'],
  ['same', 'same'],
])('the splice from %j to %j leads there', (before, after) => {
  const edit = spliceBetween(['t'], before, after);
  expect(applyAll({ t: before }, [edit])).toEqual({ t: after });
  const { at, insert } = edit as Extract<Edit, { kind: 'splice' }>;
  expect(/[\uD800-\uDBFF]$/.test(before.slice(0, at))).toBe(false);
  expect(insert.isWellFormed()).toBe(true);
});

interface Case {
  name: string;
  tree: JsonValue;
  edits: Edit[];
  after?: JsonValue;
  refused?: boolean;
}

test.each(cases as unknown as Case[])(
  'as in the service: $name',
  ({ tree, edits, after, refused }) => {
    const before = JSON.stringify(tree);
    const run = () => applyAll(tree, edits);
    if (refused) expect(run).toThrow(EditError);
    // As text: the order of keys counts.
    else expect(JSON.stringify(run())).toBe(JSON.stringify(after));
    expect(JSON.stringify(tree)).toBe(before);
  },
);
