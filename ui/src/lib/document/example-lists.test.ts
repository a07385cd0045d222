// Which places take an answer as an example.
import { expect, test } from 'vitest';
import { examplePlaces } from './example-lists';
import { sectionOf } from './registry';

const places = (registry: Parameters<typeof sectionOf>[0]) =>
  examplePlaces(
    Object.keys(registry).flatMap((name) => sectionOf(registry, name) ?? []),
    {},
  );

const sentiment = { items: [{ id: 'calm', nudges: ['Slow.'], examples: [] }] };
const personas = { items: [{ id: 'dry', context: 'Be dry.' }] };

test('lists of texts in examples, and lists of that name elsewhere', () => {
  const examples = { items: [{ id: 'jokes', items: ['Ha.'], note: 'x', numbers: [1] }] };
  const found = places({ examples, sentiment, personas });
  expect(found.map(({ section, item, field }) => [section, item, field])).toEqual([
    ['examples', 'jokes', 'items'],
    ['sentiment', 'calm', 'examples'],
  ]);
  expect(found.flatMap(({ add }) => add('Ho.'))).toEqual([
    { kind: 'insert', path: ['registry', 'examples', 'items', 0, 'items', 1], value: 'Ho.' },
    { kind: 'insert', path: ['registry', 'sentiment', 'items', 0, 'examples', 0], value: 'Ho.' },
  ]);
});

test('a section called examples without a list takes an item, which is selected', () => {
  const examples = { required: false, items: [{ id: 'first', text: 'Ha.' }] };
  const [place] = places({ examples, personas });
  expect(place).toMatchObject({ section: 'examples', item: null, field: null });
  expect(place?.add('Ho.')).toEqual([
    {
      kind: 'insert',
      path: ['registry', 'examples', 'items', 1],
      value: { id: 'example', text: 'Ho.' },
    },
    { kind: 'set', path: ['state', 'selections', 'examples'], value: ['example'] },
  ]);
  expect(places({ personas })).toEqual([]);
});
