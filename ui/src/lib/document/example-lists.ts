// Where a text can be added as an example. The places called examples are first: the lists of texts of a
// section of that name, every list of that name in another section, and, where such a section has no
// list, an item of it. After them, what the prompt prints: its lists of texts, and the items of the
// optional sections, each of which can print several.
import type { Edit, Segment } from '../ipc';
import type { JsonObject } from './edit';
import { addItem } from './items';
import { primaryField, type Item, type Section } from './registry';

export interface ExamplePlace {
  section: string;
  /** The item whose list takes it; null where it becomes an item. */
  item: string | null;
  /** The list that takes it; null where it becomes an item. */
  field: string | null;
  /** Whether the place is called examples. */
  isNamed: boolean;
  /** The edits that add a text. */
  add: (text: string) => Edit[];
}

const EXAMPLES = 'examples';
const INJECTIONS = 'runtime_injections';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** The places for examples in some sections: those called so first, then in the order of the sections. */
export function examplePlaces(
  sections: Section[],
  state: JsonObject,
  segments: readonly Segment[],
): ExamplePlace[] {
  const places = sections.flatMap((section) => placesIn(section, state, segments));
  return [...places.filter(({ isNamed }) => isNamed), ...places.filter(({ isNamed }) => !isNamed)];
}

function placesIn(
  section: Section,
  state: JsonObject,
  segments: readonly Segment[],
): ExamplePlace[] {
  const isExamples = section.name === EXAMPLES;
  const prints = segments.flatMap(({ source }) => (source?.section === section.name ? source : []));
  const lists = section.items.flatMap((item) =>
    listsOf(item).flatMap(({ field, length }): ExamplePlace[] => {
      const isNamed = isExamples || field === EXAMPLES;
      const isPrinted = prints.some(
        (source) =>
          source.item === item.index && source.field === field && source.entry !== undefined,
      );
      if (!isNamed && !isPrinted) return [];
      const path = ['registry', section.name, 'items', item.index, field, length];
      const add = (text: string): Edit[] => [{ kind: 'insert', path, value: text }];
      return [{ section: section.name, item: item.name, field, isNamed, add }];
    }),
  );
  const field = primaryField(section.name);
  // An injection is no example: it would drop other sections.
  const takesItems = !section.required && section.name !== INJECTIONS;
  const printsItems = takesItems && prints.some((printed) => printed.field === field);
  if (!(isExamples && lists.length === 0) && !printsItems) return lists;
  const add = (text: string) => addItem(section, state, 'example', text);
  return [...lists, { section: section.name, item: null, field: null, isNamed: isExamples, add }];
}

/** The lists of texts of an item. */
const listsOf = ({ value }: Item): { field: string; length: number }[] =>
  Object.entries(value).flatMap(([field, list]) =>
    isTexts(list) ? { field, length: list.length } : [],
  );
