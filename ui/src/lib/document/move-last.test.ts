// Sections moved behind everything else: an order, a section, the order afterwards.
import { expect, test } from 'vitest';
import { moveSectionLast } from './move-last';

const section = { items: [{ id: 'a', text: 'A.' }] };
const tree = (tokens: string[]) => ({
  registry: { assembly_order: tokens, personas: section, base_context: section, notes: section },
  state: {},
  route: null,
  seed: 1,
});

test.each([
  [['personas.context', 'base_context'], 'personas', ['base_context', 'personas.context']],
  [
    ['persona', 'base_context', 'personas.tips'],
    'personas',
    ['base_context', 'persona', 'personas.tips'],
  ],
  [['notes[a]', 'base_context'], 'notes', ['base_context', 'notes[a]']],
])('%j without %s is %j', (tokens, name, expected) => {
  expect(moveSectionLast(tree(tokens), name)).toEqual([
    { kind: 'set', path: ['registry', 'assembly_order'], value: expected },
  ]);
});

test.each([
  [['base_context', 'personas'], 'personas'],
  [['base_context'], 'notes'],
])('%j needs no edit for %s', (tokens, name) => {
  expect(moveSectionLast(tree(tokens), name)).toEqual([]);
});
