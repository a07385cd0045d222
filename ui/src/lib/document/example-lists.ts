// Where a text can be added as an example: to the lists of texts of a section called examples, to every
// list called examples in another section, and as an item of a section called examples that has no list.
import type { Edit } from '../ipc';
import type { JsonObject } from './edit';
import { addItem } from './items';
import type { Section } from './registry';

export interface ExamplePlace {
  section: string;
  /** The item whose list takes it; null where it becomes an item. */
  item: string | null;
  /** The list that takes it; null where it becomes an item. */
  field: string | null;
  /** The edits that add a text. */
  add: (text: string) => Edit[];
}

const EXAMPLES = 'examples';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** The places for examples in some sections, in their order. */
export function examplePlaces(sections: Section[], state: JsonObject): ExamplePlace[] {
  return sections.flatMap((section) => {
    const lists = listsOf(section);
    if (section.name !== EXAMPLES || lists.length > 0) return lists;
    const add = (text: string) => addItem(section, state, 'example', text);
    return [{ section: section.name, item: null, field: null, add }];
  });
}

function listsOf(section: Section): ExamplePlace[] {
  return section.items.flatMap((item) =>
    Object.entries(item.value).flatMap(([field, value]) => {
      if (!isTexts(value) || (section.name !== EXAMPLES && field !== EXAMPLES)) return [];
      const path = ['registry', section.name, 'items', item.index, field, value.length];
      const add = (text: string): Edit[] => [{ kind: 'insert', path, value: text }];
      return [{ section: section.name, item: item.name, field, add }];
    }),
  );
}
