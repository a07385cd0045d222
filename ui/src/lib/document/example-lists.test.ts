// Which lists take an answer as an example.
import { expect, test } from 'vitest';
import { addExample, exampleLists } from './example-lists';
import { sectionOf } from './registry';

const registry = {
  examples: { items: [{ id: 'jokes', items: ['Ha.'], note: 'x', numbers: [1] }] },
  sentiment: { items: [{ id: 'calm', nudges: ['Slow.'], examples: [] }] },
  personas: { items: [{ id: 'dry', context: 'Be dry.' }] },
};

const lists = exampleLists(
  Object.keys(registry).flatMap((name) => sectionOf(registry, name) ?? []),
);

test('lists of texts in examples, and lists of that name elsewhere', () => {
  expect(lists.map(({ section, item, path }) => [section, item, path.at(-1)])).toEqual([
    ['examples', 'jokes', 'items'],
    ['sentiment', 'calm', 'examples'],
  ]);
});

test('the answer becomes the last entry', () => {
  expect(lists.flatMap((list) => addExample(list, 'Ho.'))).toEqual([
    { kind: 'insert', path: ['registry', 'examples', 'items', 0, 'items', 1], value: 'Ho.' },
    { kind: 'insert', path: ['registry', 'sentiment', 'items', 0, 'examples', 0], value: 'Ho.' },
  ]);
});
