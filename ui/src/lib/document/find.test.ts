import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { findPlaces } from './find';
import { NAME } from './place';

const tree: JsonValue = {
  registry: {
    title: 'Dry Host',
    personas: {
      template_vars: ['venue'],
      template_var_defaults: { venue: 'the old mill' },
      items: [
        { id: 'dry', context: 'Dry and slow.', base_directives: ['Stay dry.', 'Be short.'] },
        { id: 'loud', fragments: [{ text: 'Loud.' }, { text: 'Dry after ten.' }] },
      ],
    },
    sentiment: { scale_template: 'Dryness {value}', items: [] },
    routes: { dry_run: { generation: { temperature: 0.6 } } },
    generation: { temperature: 0.9, model: 'dry-7b' },
    output_policy: { strip_patterns: ['^Dry:', '^Host:'] },
  },
};
const sections = ['sentiment', 'personas'];
const found = (words: string, route: string | null = null) =>
  findPlaces(tree, route, sections, words);

test('words are found in items, scale sentences, routes and settings, in the order of the deck', () => {
  expect(found(' DRY')).toEqual([
    { section: 'sentiment', field: 'scale_template' },
    { section: 'personas', item: 0, field: NAME },
    { section: 'personas', item: 0, field: 'context' },
    { section: 'personas', item: 0, field: 'base_directives', entry: 0 },
    { section: 'personas', item: 1, field: 'fragments', fragment: 1 },
    { part: 'title' },
    { part: 'routes', route: 'dry_run' },
    { part: 'generation', field: 'model' },
    { part: 'output_policy', field: 'strip_patterns', entry: 0 },
  ]);
});

test('a variable is found by its name and by its default', () => {
  const place = { section: 'personas', field: 'template_vars', entry: 0 };
  expect(found('venue')).toEqual([place]);
  expect(found('mill')).toEqual([place]);
});

test('settings are those of the route in use, unset ones included', () => {
  expect(found('0.6')).toEqual([]);
  expect(found('0.6', 'dry_run')).toEqual([{ part: 'generation', field: 'temperature' }]);
  expect(found('max_length')).toEqual([{ part: 'output_policy', field: 'max_length' }]);
  expect(found('  ')).toEqual([]);
});
