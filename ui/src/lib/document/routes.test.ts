// The edits of routes and how one order differs from another.
import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll } from './edit';
import { registryOf } from './registry';
import {
  addRoute,
  deleteRoute,
  isFree,
  orderDifference,
  renameRoute,
  routesOf,
  setOwnOrder,
} from './routes';

const tree: JsonValue = {
  registry: {
    assembly_order: ['a', 'b', 'c'],
    generation: { temperature: 1 },
    routes: { short: { assembly_order: ['a'], output_policy: { max_length: 9 } } },
  },
  route: 'short',
};
const registry = registryOf(tree);

test('routes tell what they replace, the default one first', () => {
  expect(routesOf(registry)).toEqual([
    { name: null, tokens: ['a', 'b', 'c'], generation: ['temperature'], policy: [] },
    { name: 'short', tokens: ['a'], generation: [], policy: ['max_length'] },
  ]);
});

test.each([
  ['adds one with the default order', addRoute(registry, 'long', null), ['short', 'long'], 'short'],
  ['renames the one in use', renameRoute(tree, 'short', 'brief'), ['brief'], 'brief'],
  ['deletes the one in use', deleteRoute(tree, 'short'), [], null],
])('%s', (_, edits, names, route) => {
  const after = applyAll(tree, edits) as { registry: { routes: object }; route: JsonValue };
  expect(Object.keys(after.registry.routes)).toEqual(names);
  expect(after.route).toBe(route);
});

test('a registry without routes gets its first', () => {
  const bare = { registry: { assembly_order: ['a'] } };
  expect(applyAll(bare, addRoute(bare.registry, 'x', null))).toEqual({
    registry: { assembly_order: ['a'], routes: { x: { assembly_order: ['a'] } } },
  });
});

test('a separate order is a copy of the default one, and can be removed', () => {
  const withOrder = applyAll(tree, setOwnOrder(tree, 'short', true));
  expect(routesOf(registryOf(withOrder))[1]?.tokens).toEqual(['a', 'b', 'c']);
  const without = applyAll(withOrder, setOwnOrder(withOrder, 'short', false));
  expect(routesOf(registryOf(without))[1]?.tokens).toBeUndefined();
});

test.each([
  ['short', false],
  ['', false],
  ['default', false],
  ['long', true],
  ['toString', true],
])('the name %j is free: %j', (name, free) => {
  expect(isFree(registry, name)).toBe(free);
});

const MARKS = { same: ' ', added: '+', removed: '-' };
test.each([
  ['abc', 'abc', ' a b c'],
  ['abc', 'ac', ' a-b c'],
  ['abc', 'axbc', ' a+x b c'],
  ['abc', 'cab', '+c a b-c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
])('%j to %j', (before, after, expected) => {
  const marked = orderDifference([...before], [...after])
    .flatMap(({ kind, text }) => [...text.replaceAll('\n', '')].map((token) => MARKS[kind] + token))
    .join('');
  expect(marked).toBe(expected);
});
