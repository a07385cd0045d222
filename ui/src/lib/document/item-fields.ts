// The fields of items that the format knows, each with a value that has nothing in it.
import type { JsonValue } from '../ipc';

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
