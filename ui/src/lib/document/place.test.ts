import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { anchorOf, comesFrom, NAME, placeWords, textOfAnchor, type Place } from './place';

const tree: JsonValue = {
  registry: {
    assembly_order: ['personas'],
    personas: { items: [{ id: 'deadpan', base_directives: ['a', 'b'] }, { text: 'unnamed' }] },
  },
};

test.each([
  ['/assembly_order/3', 'assembly_order[3]'],
  ['/registry/personas/items/0/base_directives/1', 'personas|.deadpan|.base_directives[1]'],
  ['/personas/items/0', 'personas|.deadpan'],
  ['/personas/items/1/text', 'personas|.items[1]|.text'],
  ['/personas/items/7/text', 'personas|.items[7]|.text'],
  ['/routes/short/assembly_order/0', 'routes|.short|.assembly_order[0]'],
  ['', ''],
])('%s is said as %s', (pointer, words) => {
  expect(placeWords(pointer, tree).join('|')).toBe(words);
});

test.each<[Place, boolean]>([
  [{ section: 'a', item: 0, field: 'text' }, true],
  [{ section: 'a', item: 1, field: 'tips', entry: 2 }, true],
  [{ section: 'a', item: 1, field: 'fragments', fragment: 0 }, true],
  [{ section: 'a', item: 1, field: NAME }, false],
  [{ section: 'a', item: 1 }, false],
  [{ section: 'a', field: 'template_vars', entry: 0 }, false],
  [{ part: 'generation', field: 'temperature' }, false],
])('the mark of %j names a text of an item: %s', (place, isText) => {
  expect(textOfAnchor(anchorOf(place))).toEqual(isText ? place : undefined);
});

test.each<[string, Place, boolean]>([
  ['its entry', { field: 'tips', entry: 1 }, true],
  ['another entry', { field: 'tips', entry: 0 }, false],
  ['the whole list', { field: 'tips' }, true],
  ['another field', { field: 'text' }, false],
  ['another item', { item: 1, field: 'tips', entry: 1 }, false],
  ['another section', { section: 'b', field: 'tips', entry: 1 }, false],
  ['a fragment', { field: 'fragments', fragment: 1 }, false],
])('a piece of an entry comes from %s', (_, place, expected) => {
  const source = { token: 0, section: 'a', item: 0, item_name: 'x', field: 'tips', entry: 1 };
  expect(comesFrom(source, { section: 'a', item: 0, ...place })).toBe(expected);
});

test('a fragment is no part of the field that prints it', () => {
  const source = { token: 0, section: 'a', item: 0, item_name: 'x', field: 'text', fragment: 1 };
  const at = (place: Place) => comesFrom(source, { section: 'a', item: 0, ...place });
  expect(at({ field: 'text' })).toBe(false);
  expect(at({ field: 'fragments' })).toBe(true);
  expect([0, 1].map((fragment) => at({ field: 'fragments', fragment }))).toEqual([false, true]);
});
