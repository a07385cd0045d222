// Which places take an answer as an example.
import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { examplePlaces } from './example-lists';
import { sectionOf } from './registry';

const places = (registry: Parameters<typeof sectionOf>[0], segments: Segment[] = []) =>
  examplePlaces(
    Object.keys(registry).flatMap((name) => sectionOf(registry, name) ?? []),
    {},
    segments,
  );

/** A piece of the prompt from the first item of a section. */
const printed = (section: string, field: string, entry?: number): Segment => {
  const source = { token: 0, section, item: 0, item_name: 'first', field };
  return { text: 'x', source: entry === undefined ? source : { ...source, entry } };
};

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

test('lists that the prompt prints are offered after those called examples', () => {
  const tones = { items: [{ id: 'calm', nudges: ['Slow.'], others: ['Not printed.'] }] };
  const examples = { items: [{ id: 'jokes', items: ['Ha.'] }] };
  const found = places({ tones, examples }, [printed('tones', 'nudges', 0)]);
  expect(found.map(({ section, field, isNamed }) => [section, field, isNamed])).toEqual([
    ['examples', 'items', true],
    ['tones', 'nudges', false],
  ]);
});

test('an optional section whose items are printed takes an item, a required one does not', () => {
  const rules = { required: false, items: [{ id: 'first', text: 'Be kind.' }] };
  const scene = { required: true, items: [{ id: 'first', text: 'At the bar.' }] };
  const found = places({ rules, scene }, [printed('rules', 'text'), printed('scene', 'text')]);
  expect(found.map(({ section, item }) => [section, item])).toEqual([['rules', null]]);
  expect(found[0]?.add('Be brief.')[0]).toEqual({
    kind: 'insert',
    path: ['registry', 'rules', 'items', 1],
    value: { id: 'example', text: 'Be brief.' },
  });
});
