// The entries of a moved card follow it into the prompt, and only on request.
import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll } from './edit';
import { entriesBehind } from './follow-card';

const tree = (tokens: string[]): JsonValue => ({
  registry: {
    a: { items: [] },
    b: { items: [] },
    c: { items: [] },
    silent: { items: [] },
    assembly_order: tokens,
  },
});

const orderAfter = (tokens: string[], cards: string[], name: string, up: boolean) => {
  const before = tree(tokens);
  const found = entriesBehind(before, cards, { name, up });
  if (!found) return undefined;
  const after = applyAll(before, found.edits) as { registry: { assembly_order: string[] } };
  return after.registry.assembly_order.join(' ');
};

test.each<[string, string, string, string, boolean, string | undefined]>([
  ['up', 'a b c', 'a c b', 'c', true, 'a c b'],
  ['up by two', 'a b c', 'c a b', 'c', true, 'c a b'],
  ['down', 'a b c', 'b a c', 'a', false, 'b a c'],
  ['down by two', 'a b c', 'b c a', 'a', false, 'b c a'],
  ['as a group', 'a b.x b.y c', 'b a c', 'b', true, 'b.x b.y a c'],
  ['a group behind a group', 'a.x a.y b.x b.y c', 'b a c', 'a', false, 'b.x b.y a.x a.y c'],
  ['what stands apart stays', 'a b.x c b.y', 'b a c', 'b', true, 'b.x a c b.y'],
  ['past a card without entries', 'a b', 'b silent a', 'b', true, 'b a'],
  ['not if the prompt agrees already', 'b a c', 'b a c', 'b', true, undefined],
  ['not if nothing prints the section', 'a b c', 'silent a b c', 'silent', true, undefined],
  ['not if no passed card prints', 'a', 'a silent', 'a', true, undefined],
])('%s', (_what, tokens, cards, name, up, expected) => {
  expect(orderAfter(tokens.split(' '), cards.split(' '), name, up)).toBe(expected);
});
