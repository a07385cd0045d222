// Whether a hit of Find is opened while its words are typed: a list of very many items or a text of
// megabytes takes a second or more to draw, and is opened only on request.
import type { JsonValue } from '../ipc';
import { isObject } from './edit';
import type { Section } from './registry';

const MOST_ITEMS = 300;
/** In UTF-16 units, of all fields of an item. */
const MOST_TEXT = 200_000;

/** Whether the items of a section, which may be listed already, and one of them are drawn quickly. */
export function opensQuickly(
  section: Section,
  item: number | undefined,
  isListed: boolean,
): boolean {
  if (item === undefined) return true;
  if (!isListed && section.items.length > MOST_ITEMS) return false;
  return lengthOf(section.items[item]?.value) <= MOST_TEXT;
}

function lengthOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const values = isObject(value) ? Object.values(value) : (value as JsonValue[]);
  return values.reduce<number>((sum, each) => sum + lengthOf(each), 0);
}
