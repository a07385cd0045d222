// The edits that add, copy, move, rename and delete items, with what refers to them following.
import type { Edit, JsonValue } from '../ipc';
import { isObject, type JsonObject } from './edit';
import {
  partOf,
  stateOf,
  primaryField,
  registryOf,
  strings,
  type Item,
  type Section,
} from './registry';
import { selectAlso } from './selection-edits';
import { forEachToken, renameItemInToken } from './references';

const itemsPath = (section: Section): (string | number)[] => ['registry', section.name, 'items'];

/** A name no item of the section has. */
function freeName(section: Section, wanted: string): string {
  const taken = new Set(section.items.map((item) => item.name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}_${number}`)) number += 1;
  return `${wanted}_${number}`;
}

/** Which key items of the section are named by. */
function identityKey(section: Section): 'id' | 'name' {
  return section.items.find((item) => item.key)?.key ?? 'id';
}

/** An item with nothing to print yet, in the form its section reads. */
export function emptyItem(section: string, name: string, key: 'id' | 'name' = 'id'): JsonObject {
  const value: JsonObject = { [key]: name, [primaryField(section)]: '' };
  if (section === 'runtime_injections') value.include_sections = [];
  return value;
}

/**
 * Adds an item at the end, empty or with a text. In an optional section it is selected as well, or what is typed into
 * it would print nowhere. An injection is not: it would drop whatever it does not name yet.
 */
export function addItem(section: Section, state: JsonObject, wanted = 'item', text = ''): Edit[] {
  const name = freeName(section, wanted);
  const value = emptyItem(section.name, name, identityKey(section));
  value[primaryField(section.name)] = text;
  const added: Edit = Array.isArray(section.value.items)
    ? { kind: 'insert', path: [...itemsPath(section), section.items.length], value }
    : { kind: 'set', path: itemsPath(section), value: [value] };
  if (section.required || section.name === 'runtime_injections') return [added];
  return [added, ...selectAlso(section, state, name)];
}

/** Puts a copy after an item, under a unique name. */
export function duplicateItem(section: Section, item: Item): Edit[] {
  const key = item.key ?? identityKey(section);
  const name = freeName(section, item.key ? `${item.name}_copy` : 'item');
  const value = { ...item.value, [key]: name };
  return [{ kind: 'insert', path: [...itemsPath(section), item.index + 1], value }];
}

export function moveItem(section: Section, from: number, to: number): Edit[] {
  return [{ kind: 'move', path: itemsPath(section), from, to }];
}

/** Deletes an item and takes it out of what is selected. */
export function deleteItem(section: Section, item: Item, tree: JsonValue): Edit[] {
  const edits: Edit[] = [{ kind: 'remove', path: [...itemsPath(section), item.index] }];
  const drop = (value: JsonValue | undefined, path: (string | number)[]) => {
    if (value === item.name && item.key) edits.push({ kind: 'remove', path });
    else if (strings(value).includes(item.name)) {
      const rest = strings(value).filter((name) => name !== item.name);
      edits.push({ kind: 'set', path, value: rest });
    }
  };
  drop(partOf(stateOf(tree), 'selections')[section.name], ['state', 'selections', section.name]);
  drop(section.value.selected, ['registry', section.name, 'selected']);
  return edits;
}

/**
 * Renames an item; selections, tokens and the lists of other items follow. The first edit is the
 * name itself, each further one a reference.
 */
export function renameItem(section: Section, item: Item, to: string, tree: JsonValue): Edit[] {
  const key = item.key ?? identityKey(section);
  const edits: Edit[] = [
    { kind: 'set', path: [...itemsPath(section), item.index, key], value: to },
  ];
  if (!item.key) return edits;
  const rename = (value: JsonValue | undefined, path: (string | number)[]) => {
    if (value === item.name) edits.push({ kind: 'set', path, value: to });
    else if (Array.isArray(value)) {
      value.forEach((entry, index) => {
        if (entry === item.name) edits.push({ kind: 'set', path: [...path, index], value: to });
      });
    }
  };
  rename(partOf(stateOf(tree), 'selections')[section.name], ['state', 'selections', section.name]);
  rename(section.value.selected, ['registry', section.name, 'selected']);
  const registry = registryOf(tree);
  forEachToken(registry, (token, path) => {
    const next = renameItemInToken(registry, token, section, item.name, to);
    if (next !== token) edits.push({ kind: 'set', path, value: next });
  });
  const dependency = `${section.name}.${item.name}`;
  for (const [name, other] of Object.entries(registry)) {
    if (!isObject(other) || !Array.isArray(other.items)) continue;
    for (const { entry, path } of dependenciesIn(other.items)) {
      if (entry !== dependency) continue;
      const whole = ['registry', name, 'items', ...path];
      edits.push({ kind: 'set', path: whole, value: `${section.name}.${to}` });
    }
  }
  return edits;
}

interface Dependency {
  entry: JsonValue;
  path: (string | number)[];
}

/** Kept with the items, which are replaced and never changed: most of a registry stays as it is. */
const dependencies = new WeakMap<JsonValue[], Dependency[]>();

/** What items require and exclude. */
function dependenciesIn(items: JsonValue[]): Dependency[] {
  const known = dependencies.get(items);
  if (known) return known;
  const found = items.flatMap((item, at) => {
    if (!isObject(item)) return [];
    return ['requires', 'excludes'].flatMap((field) => {
      const list = item[field];
      if (!Array.isArray(list)) return [];
      return list.map((entry, index) => ({ entry, path: [at, field, index] }));
    });
  });
  dependencies.set(items, found);
  return found;
}
