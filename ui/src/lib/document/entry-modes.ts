// Modes that name the entries of a list by their position, kept on their entries when the list changes.
import type { Edit } from '../ipc';
import { isObject, type JsonObject } from './edit';
import { parseMode, writeMode } from './mode';
import { isRandom, settingOf, type Item, type Section } from './registry';

/** A change of a list: entries that come, one that goes, one that is moved. */
export type EntryChange =
  | { kind: 'insert'; at: number; count: number }
  | { kind: 'remove'; at: number }
  | { kind: 'move'; from: number; to: number };

/** Where an entry is after a change; undefined when it is gone. */
function placeAfter(change: EntryChange, entry: number): number | undefined {
  switch (change.kind) {
    case 'insert':
      return entry >= change.at ? entry + change.count : entry;
    case 'remove':
      if (entry === change.at) return undefined;
      return entry > change.at ? entry - 1 : entry;
    default: {
      const { from, to } = change;
      if (entry === from) return to;
      if (from < entry && entry <= to) return entry - 1;
      return to <= entry && entry < from ? entry + 1 : entry;
    }
  }
}

/** The mode that names the same entries after a change; undefined when it stays as it is. */
function modeAfter(mode: unknown, change: EntryChange): string | undefined {
  if (typeof mode !== 'string') return undefined;
  const parsed = parseMode(mode);
  if (parsed.kind !== 'entries') return undefined;
  const entries = parsed.entries.flatMap((entry) => placeAfter(change, entry) ?? []);
  const isSame =
    entries.length === parsed.entries.length &&
    entries.every((entry, index) => entry === parsed.entries[index]);
  if (isSame) return undefined;
  return writeMode(entries.length === 0 ? { kind: 'none' } : { kind: 'entries', entries });
}

/** What becomes of the modes of a list when the list changes. */
export interface Followed {
  /** The edits that keep them on the entries they name. */
  edits: Edit[];
  /** The mode that names other entries of this list from now on, as it is another list's as well. */
  unfollowed?: string;
  /** The mode that the edits write for the lists of other items as well. */
  shared?: string;
}

/**
 * What becomes of the modes of a list when the list of an item changes. A mode belongs to a section and
 * the name of a list. Where several items have a list of that name, it is meant for the one that is
 * printed: it follows that list, if that is one. `selected` are the items that are used without rolls.
 */
export function followEntries(
  section: Section,
  item: Item,
  field: string,
  state: JsonObject,
  change: EntryChange,
  selected: readonly number[] = [],
): Followed {
  const lists = section.items.filter(({ value }) => Array.isArray(value[field]));
  const others = lists.filter(({ index }) => index !== item.index);
  const printed = lists.filter(({ index }) => selected.includes(index));
  const isPrintedAlone = printed.length === 1 && printed[0]?.index === item.index;
  const follows = others.length === 0 || (isPrintedAlone && !isRandom(section, state));
  const edits: Edit[] = [];
  let first: { before: string; after: string } | undefined;
  for (const [modes, path] of [
    [settingOf(state, 'array_modes', section.name), ['state', 'array_modes', section.name, field]],
    [section.value.array_modes, ['registry', section.name, 'array_modes', field]],
  ] as const) {
    const before = isObject(modes) ? modes[field] : undefined;
    const value = modeAfter(before, change);
    if (value === undefined) continue;
    first ??= { before: String(before), after: value };
    edits.push({ kind: 'set', path: [...path], value });
  }
  if (!first || others.length === 0) return { edits };
  return follows ? { edits, shared: first.after } : { edits: [], unfollowed: first.before };
}
