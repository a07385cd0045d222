// The lists of examples to which a text can be added: those of a section called examples, and every
// list called examples in another section.
import type { Edit } from '../ipc';
import type { Section } from './registry';

export interface ExampleList {
  section: string;
  item: string;
  path: (string | number)[];
  length: number;
}

const EXAMPLES = 'examples';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** The lists of examples of some sections, in their order. */
export function exampleLists(sections: Section[]): ExampleList[] {
  return sections.flatMap((section) =>
    section.items.flatMap((item) =>
      Object.entries(item.value)
        .filter(([field]) => section.name === EXAMPLES || field === EXAMPLES)
        .flatMap(([field, value]) =>
          isTexts(value)
            ? [
                {
                  section: section.name,
                  item: item.name,
                  path: ['registry', section.name, 'items', item.index, field],
                  length: value.length,
                },
              ]
            : [],
        ),
    ),
  );
}

/** The edit that adds a text to a list. */
export function addExample(list: ExampleList, text: string): Edit[] {
  return [{ kind: 'insert', path: [...list.path, list.length], value: text }];
}
