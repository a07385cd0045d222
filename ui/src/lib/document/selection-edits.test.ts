// Where an item of an optional section is selected that was just added, or was in use before: in the file,
// and in the state only where that has a selection of its own.
import { expect, test } from 'vitest';
import { applyAll, type JsonObject } from './edit';
import { addItem } from './items';
import { sectionOf, selectedItems, type Section } from './registry';
import { setRequired } from './selection-edits';

const items = [
  { id: 'a', text: 'A.' },
  { id: 'b', text: 'B.' },
];

/** The section and the state after some edits. */
function after(
  value: JsonObject,
  state: JsonObject,
  edits: (section: Section, state: JsonObject) => ReturnType<typeof addItem>,
) {
  const section = sectionOf({ s: value }, 's') as Section;
  const tree = applyAll({ registry: { s: value }, state }, edits(section, state)) as {
    registry: { s: JsonObject };
    state: JsonObject;
  };
  const next = sectionOf(tree.registry, 's') as Section;
  const ids = (of: JsonObject) => selectedItems(next, of).map((index) => next.items[index]?.name);
  return { selected: tree.registry.s.selected, inFile: ids({}), inWindow: ids(tree.state), tree };
}

const add = (section: Section, state: JsonObject) => addItem(section, state, 'new');

test('an added item is selected in the file where that selects items', () => {
  const { inFile, tree } = after({ required: false, items, selected: ['a'] }, {}, add);
  expect(inFile).toEqual(['a', 'new']);
  expect(tree.state).toEqual({});
});

test('an added item is selected in the state too where that selects', () => {
  const state: JsonObject = { selections: { s: ['b'] } };
  const found = after({ required: false, items, selected: ['a'] }, state, add);
  expect(found.inFile).toEqual(['a', 'new']);
  expect(found.inWindow).toEqual(['b', 'new']);
});

test('a file that leaves the selection to its callers goes on doing so', () => {
  const found = after({ required: false, items }, {}, add);
  expect(found.selected).toBeUndefined();
  expect(found.inWindow).toEqual(['new']);
});

test('an added item goes beside what the file selects as it is written there', () => {
  const later = ['later', 'b', 'a'];
  const found = after({ required: false, items, selected: later }, {}, add);
  expect(found.selected).toEqual([...later, 'new']);
  expect(after({ required: false, items, selected: 'b' }, {}, add).selected).toEqual(['b', 'new']);
  expect(after({ required: false, items, selected: ['new'] }, {}, add).selected).toEqual(['new']);
  const state: JsonObject = { selections: { s: later } };
  const both = after({ required: false, items, selected: ['a'] }, state, add);
  expect(both.tree.state).toEqual({ selections: { s: [...later, 'new'] } });
});

test.each([[[]], [null]])(
  'an added item prints in no call of a file that selects %j',
  (selected) => {
    const found = after({ required: false, items, selected }, {}, add);
    expect(found.selected).toEqual(selected);
    expect(found.inWindow).toEqual(['new']);
  },
);

test('a list of selected items stays as it is when a section is made optional', () => {
  const optional = (section: Section, state: JsonObject) => setRequired(section, state, false);
  const both = ['b', 'a'];
  const found = after({ items, selected: both }, { selections: { s: both } }, optional);
  expect(found.selected).toEqual(both);
  expect(found.tree.state).toEqual({ selections: { s: both } });
  expect(after({ items, selected: ['later'] }, {}, optional).selected).toEqual(['later', 'a']);
  expect(after({ items, selected: [] }, {}, optional).selected).toEqual(['a']);
});

test('a section that is made optional goes on printing its item, in the file and in the window', () => {
  const optional = (section: Section, state: JsonObject) => setRequired(section, state, false);
  expect(after({ items }, {}, optional).inFile).toEqual(['a']);
  expect(after({ items, selected: 'b' }, {}, optional).inFile).toEqual(['b']);
  const found = after({ items }, { selections: { s: 'b' } }, optional);
  expect([found.inFile, found.inWindow]).toEqual([['a'], ['b']]);
  const back = (section: Section, state: JsonObject) => setRequired(section, state, true);
  expect(after({ required: false, items, selected: ['b'] } as JsonObject, {}, back).inFile).toEqual(
    ['b'],
  );
});
