import { expect, test } from 'vitest';
import type { JsonObject } from './edit';
import { followEntries, type EntryChange } from './entry-modes';
import type { Section } from './registry';

const tips = ['One.', 'Two.', 'Three.', 'Four.'];

const section = (mode: string | undefined, others: JsonObject[] = []): Section => ({
  name: 'rules',
  required: true,
  value: mode === undefined ? {} : { array_modes: { tips: mode } },
  items: [{ id: 'a', tips } as JsonObject, ...others].map((value, index) => ({
    index,
    name: String(index),
    key: 'id' as const,
    value,
  })),
});

const follow = (mode: string, change: EntryChange, others: JsonObject[] = []): unknown[] => {
  const set = { array_modes: { rules: { tips: mode } } };
  const one = section(undefined, others);
  return followEntries(one, one.items[0]!, 'tips', set, change).map((edit) =>
    edit.kind === 'set' ? edit.value : edit,
  );
};

test.each<[string, EntryChange, string | undefined]>([
  ['index:2', { kind: 'move', from: 2, to: 0 }, 'index:0'],
  ['index:1', { kind: 'move', from: 2, to: 0 }, 'index:2'],
  ['index:1', { kind: 'move', from: 0, to: 3 }, 'index:0'],
  ['index:3', { kind: 'move', from: 0, to: 2 }, undefined],
  ['index:0', { kind: 'remove', at: 0 }, 'none'],
  ['indices:0,2', { kind: 'remove', at: 0 }, 'index:1'],
  ['indices:3,1', { kind: 'remove', at: 2 }, 'indices:2,1'],
  ['index:2', { kind: 'insert', at: 1, count: 2 }, 'index:4'],
  ['index:0', { kind: 'insert', at: 1, count: 2 }, undefined],
  ['index:-1', { kind: 'remove', at: 0 }, undefined],
  ['random:2', { kind: 'remove', at: 0 }, undefined],
  ['all', { kind: 'move', from: 1, to: 0 }, undefined],
])('%s after %j', (mode, change, after) => {
  expect(follow(mode, change)).toEqual(after === undefined ? [] : [after]);
});

test('the mode that is written in the registry follows as well', () => {
  const one = section('index:2');
  const change: EntryChange = { kind: 'remove', at: 0 };
  expect(followEntries(one, one.items[0]!, 'tips', {}, change)).toEqual([
    { kind: 'set', path: ['registry', 'rules', 'array_modes', 'tips'], value: 'index:1' },
  ]);
});

test('a mode that is another list’s as well stays', () => {
  expect(follow('index:2', { kind: 'remove', at: 0 }, [{ id: 'b', tips: ['Wait.'] }])).toEqual([]);
});
