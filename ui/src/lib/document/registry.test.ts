// Reading a registry: order of sections, identity, what is selected, rolled and set.
import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll, type JsonObject } from './edit';
import {
  arranged,
  arrayFields,
  assemblyOf,
  defaultVar,
  isRandom,
  modeText,
  sectionNames,
  sectionOf,
  selectedItems,
  sliderValue,
  usedVars,
  type Section,
} from './registry';

const section = (value: JsonValue): Section => sectionOf({ s: value }, 's') as Section;
const items: JsonValue = [{ id: 'a' }, { name: 'b' }, { text: 'no name' }, { id: 'c' }];

test('well-known sections come first, the others as in the file, reserved keys never', () => {
  const one = { items: [] };
  const registry = {
    mine: one,
    personas: one,
    routes: one,
    base_context: one,
    title: 'x',
    note: {},
  };
  expect(sectionNames(registry)).toEqual(['base_context', 'personas', 'mine']);
});

test('an arrangement holds for what it names and leaves the rest behind', () => {
  expect(arranged(['a', 'b', 'c'], ['c', 'gone', 'a'])).toEqual(['c', 'a', 'b']);
});

test('what an edit does not touch is read as the very same objects', () => {
  const other: JsonObject = { items: [] };
  const before: JsonObject = { s: { items: [{ id: 'a', text: 'x' }, { id: 'b' }] }, other };
  const after = applyAll(before, [
    { kind: 'set', path: ['s', 'items', 0, 'text'], value: 'xy' },
  ]) as JsonObject;
  const [was, is] = [sectionOf(before, 's'), sectionOf(after, 's')];
  expect(is?.items[0]?.value.text).toBe('xy');
  expect(is?.items[1]).toBe(was?.items[1]);
  expect(sectionOf(after, 'other')).toBe(sectionOf(before, 'other'));
  const moved = applyAll(after, [{ kind: 'move', path: ['s', 'items'], from: 1, to: 0 }]);
  expect(sectionOf(moved as JsonObject, 's')?.items.map((item) => item.index)).toEqual([0, 1]);
});

test('items are called by id, else name, else their place', () => {
  expect(section({ items }).items.map((item) => item.name)).toEqual(['a', 'b', '#2', 'c']);
});

test.each<[string, JsonValue, JsonObject, number[]]>([
  ['required: first by default', { items }, {}, [0]],
  ['required: baked', { items, selected: 'b' }, {}, [1]],
  ['required: state over baked', { items, selected: 'b' }, { selections: { s: 'c' } }, [3]],
  ['required: the first id that exists', { items }, { selections: { s: ['x', 'c', 'a'] } }, [3]],
  ['required: unknown falls to the first', { items }, { selections: { s: 'x' } }, [0]],
  ['optional: none by default', { items, required: false }, {}, []],
  [
    'optional: in item order',
    { items, required: false },
    { selections: { s: ['c', 'a'] } },
    [0, 3],
  ],
  ['optional: one id as text', { items, required: false }, { selections: { s: 'b' } }, [1]],
  [
    'optional: emptied in the state',
    { items, required: false, selected: ['a'] },
    { selections: { s: [] } },
    [],
  ],
])('%s', (_name, value, state, expected) => {
  expect(selectedItems(section(value), state)).toEqual(expected);
});

test.each<[string, JsonValue, JsonObject, boolean]>([
  ['off by default', { items }, {}, false],
  ['baked', { items, section_random: true }, {}, true],
  [
    'a selection switches baked off',
    { items, section_random: true },
    { selections: { s: 'a' } },
    false,
  ],
  [
    'the state says otherwise',
    { items, section_random: true },
    { selections: { s: 'a' }, section_random: { s: true } },
    true,
  ],
])('random: %s', (_name, value, state, expected) => {
  expect(isRandom(section(value), state)).toBe(expected);
});

test('slider and mode: state, else baked, else default', () => {
  const baked = section({ items, slider: 7, array_modes: { f: 'none' } });
  expect(sliderValue(baked, {})).toBe(7);
  expect(sliderValue(baked, { sliders: { s: 2 } })).toBe(2);
  expect(sliderValue(section({ items }), {})).toBe(5);
  expect(modeText(baked, 'f', {})).toBe('none');
  expect(modeText(baked, 'f', { array_modes: { s: { f: 'random:2' } } })).toBe('random:2');
  expect(modeText(baked, 'g', {})).toBe('all');
});

test('a variable counts as used in texts, lists and conditions; defaults may be in braces', () => {
  const value = section({
    items: [
      { id: 'a', text: 'x {one}', items: ['{two}'], fragments: [{ if_var: '{three}', text: '' }] },
    ],
    template_var_defaults: { '{one}': 'first' },
  });
  expect([...usedVars(value)].sort()).toEqual(['one', 'three', 'two']);
  expect(defaultVar(value, 'one')).toBe('first');
});

test('lists that are never printed are no array fields', () => {
  expect(
    arrayFields({ items: [], nudges: [], include_sections: [], requires: [], id: 'x' }),
  ).toEqual(['items', 'nudges']);
});

test('a route with its own order is edited, any other shows the default', () => {
  const registry = { assembly_order: ['a'], routes: { r: { assembly_order: ['b'] }, q: {} } };
  const order = (route: string | null) => assemblyOf({ registry, route });
  expect(order(null)).toEqual({ path: ['registry', 'assembly_order'], tokens: ['a'] });
  expect(order('r')).toEqual({
    path: ['registry', 'routes', 'r', 'assembly_order'],
    tokens: ['b'],
  });
  expect(order('q').tokens).toEqual(['a']);
});
