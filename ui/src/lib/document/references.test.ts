// Renaming and deleting: what refers to an item or a section follows, everywhere.
import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll, type JsonObject } from './edit';
import { addItem, deleteItem, duplicateItem, renameItem } from './items';
import { sectionOf, type Section } from './registry';
import { namedByItems } from './references';
import { deleteSection, duplicateSection, renameSection } from './sections';
import { completions, sectionOfToken } from './token';

const base = (): JsonValue => ({
  registry: {
    assembly_order: [
      'personas.calm',
      'lines[personas.calm]',
      'persona',
      'lines.calm',
      'personas.context',
    ],
    personas: {
      selected: 'calm',
      items: [
        { id: 'calm', context: 'x' },
        { id: 'loud', context: 'y' },
      ],
    },
    lines: {
      required: false,
      items: [
        {
          id: 'calm',
          text: 'z',
          requires: ['personas.calm', 'personas'],
          excludes: ['personas.calm'],
        },
      ],
    },
    runtime_injections: { required: false, items: [{ id: 'i', include_sections: ['personas'] }] },
    routes: { r: { assembly_order: ['personas.calm'] } },
  },
  state: {
    selections: { personas: 'calm', lines: ['calm'] },
    template_vars: { 'personas::v': '1' },
    sliders: { personas: 3 },
  },
});
const registry = (tree: JsonValue) => (tree as { registry: Record<string, JsonValue> }).registry;
const personas = (tree: JsonValue) => sectionOf(registry(tree), 'personas') as Section;

test('a renamed item is renamed wherever it is named, and nowhere else', () => {
  const tree = base();
  const section = personas(tree);
  const after = applyAll(tree, renameItem(section, section.items[0]!, 'still', tree));
  expect(registry(after).assembly_order).toEqual([
    'personas.still',
    'lines[personas.still]',
    'persona',
    'lines.calm',
    'personas.context',
  ]);
  expect(after).toMatchObject({
    registry: {
      personas: { selected: 'still', items: [{ id: 'still' }, { id: 'loud' }] },
      lines: {
        items: [
          { id: 'calm', requires: ['personas.still', 'personas'], excludes: ['personas.still'] },
        ],
      },
      routes: { r: { assembly_order: ['personas.still'] } },
    },
    state: { selections: { personas: 'still', lines: ['calm'] } },
  });
});

test('a token whose field has the item’s name means the field', () => {
  const tree = base();
  const section = sectionOf(
    { ...registry(tree), personas: { items: [{ id: 'context', context: 'x' }] } },
    'personas',
  ) as Section;
  const edits = renameItem(section, section.items[0]!, 'other', tree);
  expect(edits.filter((edit) => edit.path.includes('assembly_order'))).toEqual([]);
});

test('a renamed section is renamed in tokens, aliases, injections, dependencies and the state', () => {
  const after = applyAll(base(), renameSection('personas', 'voices', base()));
  expect(registry(after).assembly_order).toEqual([
    'voices.calm',
    'lines[voices.calm]',
    'voices.context',
    'lines.calm',
    'voices.context',
  ]);
  expect(Object.keys(registry(after))[1]).toBe('voices');
  expect(after).toMatchObject({
    registry: {
      runtime_injections: { items: [{ include_sections: ['voices'] }] },
      lines: { items: [{ requires: ['voices.calm', 'voices'], excludes: ['voices.calm'] }] },
    },
    state: {
      selections: { voices: 'calm' },
      sliders: { voices: 3 },
      template_vars: { 'voices::v': '1' },
    },
  });
});

test('a section with another name keeps what only its name gave it: its field and its slider', () => {
  const tree = {
    registry: {
      assembly_order: ['sentiment', 'sentiment.scale', 'tips'],
      sentiment: { items: [{ id: 'warm', context: 'Warm.' }] },
      tips: { items: [{ id: 'all', items: ['One.'] }] },
    },
    state: {},
  };
  const after = applyAll(tree, renameSection('sentiment', 'mood', tree, true)) as typeof tree;
  expect(after.registry.assembly_order).toEqual(['mood.context', 'mood.scale', 'tips']);
  expect(after.registry).toMatchObject({ mood: { slider: 5 } });
  const list = applyAll(tree, renameSection('tips', 'personas', tree)) as typeof tree;
  expect(list.registry.assembly_order).toEqual(['sentiment', 'sentiment.scale', 'personas']);
  const copy = applyAll(tree, duplicateSection('sentiment', 'sentiment_2', tree, true));
  expect(registry(copy)).toMatchObject({ sentiment_2: { slider: 5 } });
  expect(registry(copy).sentiment).not.toHaveProperty('slider');
});

test('a deleted section takes its tokens and its state along', () => {
  const after = applyAll(base(), deleteSection('personas', base()));
  expect(registry(after).assembly_order).toEqual(['lines[personas.calm]', 'lines.calm']);
  expect(registry(after).personas).toBeUndefined();
  expect(after).toMatchObject({
    state: { selections: { lines: ['calm'] }, sliders: {}, template_vars: {} },
  });
});

test('the items of other sections that name a section are counted, each once', () => {
  const deck: JsonObject = {
    personas: { items: [{ id: 'calm', requires: ['personas'] }] },
    lines: {
      items: [
        { id: 'one', requires: ['personas.calm', 'personas'], excludes: ['personas'] },
        { id: 'two', requires: ['personas_2', 'tips'] },
      ],
    },
    runtime_injections: { items: [{ id: 'hint', include_sections: ['lines', 'personas'] }] },
  };
  expect(namedByItems(deck, 'personas')).toBe(2);
  expect(namedByItems(deck, 'tips')).toBe(1);
  expect(namedByItems(deck, 'lines')).toBe(1);
  expect(namedByItems(deck, 'calm')).toBe(0);
});

test('a deleted item is no longer selected', () => {
  const tree = base();
  const section = personas(tree);
  const after = applyAll(tree, deleteItem(section, section.items[0]!, tree));
  expect(after).toMatchObject({ state: { selections: { lines: ['calm'] } } });
  expect((after as { state: { selections: object } }).state.selections).not.toHaveProperty(
    'personas',
  );
});

test('new and copied items have unique names', () => {
  const tree = base();
  const once = applyAll(tree, duplicateItem(personas(tree), personas(tree).items[0]!));
  const twice = applyAll(once, duplicateItem(personas(once), personas(once).items[0]!));
  const more = applyAll(twice, addItem(personas(twice), {}));
  expect(personas(more).items.map((item) => item.name)).toEqual([
    'calm',
    'calm_copy_2',
    'calm_copy',
    'loud',
    'item',
  ]);
});

test.each([
  ['personas.calm', 'personas'],
  ['persona', 'personas'],
  ['lines[personas]', 'lines'],
  ['nothing.here', undefined],
  ['ending', undefined],
])('%s leads to %s', (token, section) => {
  expect(sectionOfToken(registry(base()), token)).toBe(section);
});

test.each([
  ['per', ['personas', 'personas.context', 'personas.calm', 'personas.loud']],
  ['lines[perso', ['lines[personas.calm]', 'lines[personas.loud]']],
  ['loud', ['personas.loud']],
])('%s can become %j', (typed, tokens) => {
  const lookUps = ['lines[lines.id]', 'lines[personas.calm]', 'lines[personas.loud]'];
  const found = completions(registry(base()), typed, { lookUps });
  expect(found.map((each) => each.token)).toEqual(tokens);
});
