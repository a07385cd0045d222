import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { placeWords } from './place';

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
