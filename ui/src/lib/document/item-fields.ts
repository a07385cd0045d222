// The fields of items that the format knows.
import type { JsonValue } from '../ipc';

/** The fields that name sections, variables and items, and are no text. */
export const FIELDS_OF_NAMES: ReadonlySet<string> = new Set([
  'include_sections',
  'runtime_variables',
  'requires',
  'excludes',
]);

/** Each with a value that has nothing in it. */
export const KNOWN_FIELDS: Readonly<Record<string, JsonValue>> = {
  text: '',
  context: '',
  items: [''],
  pre_context: '',
  fragments: [{ text: '' }],
  scale_emotion: '',
  include_sections: [],
  runtime_variables: [''],
  requires: [],
  excludes: [],
  weight: 1,
};
