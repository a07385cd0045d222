import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll } from './edit';
import { addSection, copyName, duplicateSection, missingSections, newSection } from './sections';

const empty = { assembly_order: ['base_context'], base_context: { items: [] } };
const added = (name: string) =>
  (
    applyAll({ registry: empty, state: {} }, addSection(empty, name, newSection(name), 0)) as {
      registry: Record<string, JsonValue>;
    }
  ).registry;

test('a section is added in the form it is read in, with its token', () => {
  expect(added('personas')).toMatchObject({
    assembly_order: ['personas', 'base_context'],
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

test('a section that is printed already gets no second entry', () => {
  const order = { assembly_order: ['house_rules'] };
  const edits = addSection(order, 'house_rules', newSection('house_rules'), null);
  expect(edits.map(({ path }) => path)).toEqual([['registry', 'house_rules']]);
});

test('well-known sections that are there are not offered', () => {
  expect(missingSections(empty)).not.toContain('base_context');
  expect(missingSections(empty)[0]).toBe('personas');
});

test.each([
  ['examples', ['first']],
  ['personas', undefined],
  // It would filter out the other sections.
  ['runtime_injections', undefined],
])('the first item of a new section %s is in use in the file', (name, selected) => {
  expect((added(name)[name] as { selected?: unknown }).selected).toEqual(selected);
});

test('a copy of a section stands after it, in the deck and in each assembly, with its settings', () => {
  const registry = {
    assembly_order: ['mood.text', 'end', 'mood.nudges', 'other[mood]'],
    routes: { short: { assembly_order: ['mood', 'end'] } },
    mood: { items: [{ id: 'a', text: 'A {who}.' }], template_vars: ['who'] },
    mood_2: { items: [] },
    end: { items: [] },
    other: { items: [] },
  };
  const state = {
    selections: { mood: 'a' },
    template_vars: { 'mood::who': 'Ada', 'end::who': '' },
  };
  const tree = { registry, state };
  expect(copyName(registry, 'mood')).toBe('mood_3');
  const after = applyAll(tree, duplicateSection('mood', 'mood_3', tree)) as typeof tree;
  expect(Object.keys(after.registry).slice(2, 4)).toEqual(['mood', 'mood_3']);
  expect(after.registry).toMatchObject({
    assembly_order: [
      'mood.text',
      'end',
      'mood.nudges',
      'mood_3.text',
      'mood_3.nudges',
      'other[mood]',
    ],
    routes: { short: { assembly_order: ['mood', 'mood_3', 'end'] } },
    mood_3: registry.mood,
  });
  expect(after.state).toEqual({
    selections: { mood: 'a', mood_3: 'a' },
    template_vars: { 'mood::who': 'Ada', 'end::who': '', 'mood_3::who': 'Ada' },
  });
});

test('a copy of a well-known section prints the same field', () => {
  const registry = { assembly_order: ['personas'], personas: { items: [] } };
  const tree = { registry, state: {} };
  const after = applyAll(tree, duplicateSection('personas', 'personas_2', tree)) as typeof tree;
  expect(after.registry.assembly_order).toEqual(['personas', 'personas_2.context']);
});
