// Reading a registry: order of sections, identity, what is selected, rolled and set.
import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll, type JsonObject } from './edit';
import {
  arranged,
  arrayFields,
  assemblyOf,
  defaultVar,
  sectionNames,
  sectionOf,
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

test('a saved order ignores unknown names and puts unlisted ones last', () => {
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
  expect(section({ items }).items.map((item) => item.name)).toEqual(['a', 'b', '#3', 'c']);
});

test('the key of a default may be in braces', () => {
  const value = section({ items: [], template_var_defaults: { '{one}': 'first' } });
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
