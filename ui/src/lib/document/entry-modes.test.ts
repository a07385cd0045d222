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

const follow = (mode: string, change: EntryChange): unknown[] => {
  const set = { array_modes: { rules: { tips: mode } } };
  const one = section(undefined);
  return followEntries(one, one.items[0]!, 'tips', set, change).edits.map((edit) =>
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
  expect(followEntries(one, one.items[0]!, 'tips', {}, change)).toEqual({
    edits: [{ kind: 'set', path: ['registry', 'rules', 'array_modes', 'tips'], value: 'index:1' }],
  });
});

const removed: EntryChange = { kind: 'remove', at: 0 };
const other = { id: 'b', tips: ['Wait.', 'Go.'] } as JsonObject;

/** What becomes of a mode when the first item of two loses its first entry. */
const followed = (mode: string, selected: number[], state: JsonObject = {}) => {
  const two = section(undefined, [other]);
  const set = { ...state, array_modes: { rules: { tips: mode } } };
  const { edits, ...said } = followEntries(two, two.items[0]!, 'tips', set, removed, selected);
  return { ...said, edits: edits.map((edit) => edit.kind === 'set' && edit.value) };
};

test('of the lists of several items a mode follows the one that is printed', () => {
  expect(followed('index:2', [0])).toEqual({ edits: ['index:1'], shared: 'index:1' });
  expect(followed('index:2', [1])).toEqual({ edits: [], unfollowed: 'index:2' });
  expect(followed('index:2', [0, 1])).toEqual({ edits: [], unfollowed: 'index:2' });
  expect(followed('index:2', [0], { section_random: { rules: true } })).toEqual({
    edits: [],
    unfollowed: 'index:2',
  });
});

test('nothing is said of a mode that names the same entries as before', () => {
  expect(followed('random:2', [1])).toEqual({ edits: [] });
  expect(followed('all', [0])).toEqual({ edits: [] });
});

test('items whose field of that name is no list share no mode', () => {
  const two = section('index:2', [{ id: 'b', tips: 'Wait.' } as JsonObject]);
  const { edits, shared } = followEntries(two, two.items[0]!, 'tips', {}, removed, [1]);
  expect([edits.length, shared]).toEqual([1, undefined]);
});
