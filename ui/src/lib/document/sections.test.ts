import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll } from './edit';
import { addSection, missingSections } from './sections';

const empty = { assembly_order: ['base_context'], base_context: { items: [] } };
const added = (name: string) =>
  (
    applyAll({ registry: empty, state: {} }, addSection(empty, name)) as {
      registry: Record<string, JsonValue>;
    }
  ).registry;

test('a section is added in the form it is read in, with its token', () => {
  expect(added('personas')).toMatchObject({
    assembly_order: ['base_context', 'personas'],
    personas: { required: true, items: [{ id: 'first', context: '' }] },
  });
  expect(added('runtime_injections')).toMatchObject({
    runtime_injections: {
      required: false,
      items: [{ id: 'first', text: '', include_sections: [] }],
    },
  });
  expect(added('house_rules')).toMatchObject({
    house_rules: { required: true, items: [{ id: 'first', text: '' }] },
  });
});

test('well-known sections that are there are not offered', () => {
  expect(missingSections(empty)).not.toContain('base_context');
  expect(missingSections(empty)[0]).toBe('personas');
});

test.each([
  ['examples', { examples: ['first'] }],
  ['personas', undefined],
  // It would filter out the other sections.
  ['runtime_injections', undefined],
])('the first item of a new section %s is in use', (name, selections) => {
  const tree = applyAll({ registry: empty, state: {} }, addSection(empty, name));
  expect((tree as { state: { selections?: unknown } }).state.selections).toEqual(selections);
});
