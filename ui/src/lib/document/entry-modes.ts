// Modes that name the entries of a list by their position, kept on their entries when the list changes.
import type { Edit } from '../ipc';
import { isObject, type JsonObject } from './edit';
import { parseMode, writeMode } from './mode';
import { settingOf, type Item, type Section } from './registry';

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

/**
 * The edits that keep the modes of a list on the entries they name, when the list of an item changes.
 * None when other items have a list of that name: the modes are theirs as well.
 */
export function followEntries(
  section: Section,
  item: Item,
  field: string,
  state: JsonObject,
  change: EntryChange,
): Edit[] {
  const isShared = section.items.some(
    ({ index, value }) => index !== item.index && Array.isArray(value[field]),
  );
  if (isShared) return [];
  const set = settingOf(state, 'array_modes', section.name);
  const baked = section.value.array_modes;
  const edits: Edit[] = [];
  for (const [modes, path] of [
    [set, ['state', 'array_modes', section.name, field]],
    [baked, ['registry', section.name, 'array_modes', field]],
  ] as const) {
    const value = modeAfter(isObject(modes) ? modes[field] : undefined, change);
    if (value !== undefined) edits.push({ kind: 'set', path: [...path], value });
  }
  return edits;
}
