// The text an entry of a list is recognised by, wherever one is shown in a line.
import type { JsonValue } from '../ipc';
import { isObject } from './edit';

/** The entry on one line: its text, or its JSON where it has none. */
export function entryText(entry: JsonValue | undefined): string {
  const words = isObject(entry) && typeof entry.text === 'string' ? entry.text : entry;
  const line = typeof words === 'string' ? words : JSON.stringify(words ?? null);
  return line.replaceAll(/\s+/g, ' ').trim();
}
