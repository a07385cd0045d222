// The edits that add, rename, reorder and delete sections, with what refers to them following.
import type { Edit, JsonValue } from '../ipc';
import { RESERVED_KEYS, WELL_KNOWN_SECTIONS } from '../ipc/generated/constants';
import { isObject, type JsonObject } from './edit';
import { emptyItem } from './items';
import { forEachToken, referencesTo, renameSectionInToken } from './references';
import { text } from '../text';
import { nameProblem } from './names';
import { isSection, partOf, primaryField, registryOf, sectionOf, stateOf } from './registry';
import { addSlider, SLIDER_KEYS, SLIDER_MIDDLE } from './selection-edits';
import { sectionOfToken } from './token';

const PARTS = ['selections', 'array_modes', 'section_random', 'sliders', 'slider_random'] as const;

/** Well-known sections from which a call usually takes none, one or several items. */
const OPTIONAL = new Set(['static_injections', 'runtime_injections', 'examples']);

/** The well-known sections a registry does not have. */
export function missingSections(registry: JsonObject): string[] {
  return WELL_KNOWN_SECTIONS.filter((name) => !Object.hasOwn(registry, name));
}

/** Why a section can't have this name; undefined when it can. */
export function sectionNameProblem(registry: JsonObject, name: string): string | undefined {
  const taken = Object.hasOwn(registry, name) || RESERVED_KEYS.includes(name);
  if (taken) return text.sectionTaken(name);
  return nameProblem(name);
}

/**
 * A section with one empty item. It is in use in every call of the file: what is typed into it prints
 * wherever the file is read. An active runtime injection would filter out other sections.
 */
export function newSection(name: string): JsonObject {
  const required = !OPTIONAL.has(name);
  const value = { required, template_vars: [], items: [emptyItem(name, 'first')] };
  return required || name === 'runtime_injections' ? value : { ...value, selected: ['first'] };
}

/** Adds a section, and its token at an index of the assembly order; none if that is null. */
export function addSection(
  registry: JsonObject,
  name: string,
  value: JsonObject,
  index: number | null,
): Edit[] {
  const edits: Edit[] = [{ kind: 'insert', path: ['registry', name], value }];
  const order = registry.assembly_order;
  if (Array.isArray(order) && index !== null) {
    const path = ['registry', 'assembly_order', Math.min(index, order.length)];
    edits.push({ kind: 'insert', path, value: name });
  }
  return edits;
}

/** A name for a copy of a section that the registry does not have. */
export function copyName(registry: JsonObject, name: string): string {
  for (let number = 2; ; number += 1) {
    const copy = `${name}_${String(number)}`;
    if (sectionNameProblem(registry, copy) === undefined) return copy;
  }
}

/** Whether a section that has a slider has it by its name alone: under another it needs one in the middle. */
function hasNamedSlider(name: string, tree: JsonValue, hasSlider: boolean): boolean {
  const value = registryOf(tree)[name];
  const isOwn = isObject(value) && SLIDER_KEYS.some((key) => Object.hasOwn(value, key));
  return hasSlider && !isOwn && !Object.hasOwn(partOf(stateOf(tree), 'sliders'), name);
}

/**
 * A token of a section under its other name. A bare one prints a field that depends on the name, but for
 * items that are a list.
 */
function tokenAs(registry: JsonObject, token: string, from: string, to: string): string {
  const next = renameSectionInToken(registry, token, from, to);
  const field = primaryField(from);
  if (next !== to || field === primaryField(to)) return next;
  const isList = sectionOf(registry, from)?.items.some(({ value }) => Array.isArray(value.items));
  return isList ? next : `${to}.${field}`;
}

/** Copies a section, its tokens and what the session set for it; each copy stands after its original. */
export function duplicateSection(
  name: string,
  copy: string,
  tree: JsonValue,
  hasSlider = false,
): Edit[] {
  const registry = registryOf(tree);
  const lists = new Map<string, { path: (string | number)[]; last: number; tokens: string[] }>();
  forEachToken(registry, (token, path) => {
    if (sectionOfToken(registry, token) !== name) return;
    const list = path.slice(0, -1);
    const listEntry = lists.get(list.join('/')) ?? { path: list, last: 0, tokens: [] };
    listEntry.last = Number(path.at(-1));
    listEntry.tokens.push(tokenAs(registry, token, name, copy));
    lists.set(list.join('/'), listEntry);
  });
  const tokens = [...lists.values()].flatMap(({ path, last, tokens: own }) =>
    own.map((value, index): Edit => ({ kind: 'insert', path: [...path, last + 1 + index], value })),
  );
  const state = stateOf(tree);
  const parts = PARTS.flatMap((part): Edit[] => {
    const value = partOf(state, part)[name];
    return value === undefined ? [] : [{ kind: 'set', path: ['state', part, copy], value }];
  });
  const vars = Object.entries(partOf(state, 'template_vars'))
    .filter(([key]) => key.startsWith(`${name}::`))
    .map(([key, value]): Edit => {
      const path = ['state', 'template_vars', `${copy}${key.slice(name.length)}`];
      return { kind: 'set', path, value };
    });
  const position = Object.keys(registry).indexOf(name) + 1;
  const sectionValue = registry[name] ?? null;
  const value =
    isObject(sectionValue) && hasNamedSlider(name, tree, hasSlider)
      ? { ...sectionValue, slider: SLIDER_MIDDLE }
      : sectionValue;
  const section: Edit = { kind: 'insert', path: ['registry', copy], value, position };
  return [section, ...tokens, ...parts, ...vars];
}

/** Renames a section; tokens, injections, dependencies and the session's state follow. */
export function renameSection(
  from: string,
  to: string,
  tree: JsonValue,
  hasSlider = false,
): Edit[] {
  const registry = registryOf(tree);
  const edits: Edit[] = [];
  if (hasNamedSlider(from, tree, hasSlider)) edits.push(...addSlider({ name: from }));
  forEachToken(registry, (token, path) => {
    const next = tokenAs(registry, token, from, to);
    if (next !== token) edits.push({ kind: 'set', path, value: next });
  });
  for (const { path, entry } of referencesTo(registry, from)) {
    edits.push({ kind: 'set', path, value: to + entry.slice(from.length) });
  }
  for (const part of PARTS) {
    if (Object.hasOwn(partOf(stateOf(tree), part), from)) {
      edits.push({ kind: 'rename_key', path: ['state', part], from, to });
    }
  }
  for (const key of Object.keys(partOf(stateOf(tree), 'template_vars'))) {
    if (key.startsWith(`${from}::`)) {
      const renamed = `${to}${key.slice(from.length)}`;
      edits.push({ kind: 'rename_key', path: ['state', 'template_vars'], from: key, to: renamed });
    }
  }
  // Last, so that the paths above still hold.
  edits.push({ kind: 'rename_key', path: ['registry'], from, to });
  return edits;
}

/** The section that was renamed between two lists of keys that differ in nothing else. */
export function renamedBetween(before: string[], after: string[]): [string, string] | undefined {
  const changed = before.flatMap((name, index) => (name === after[index] ? [] : [index]));
  const [index] = changed;
  if (before.length !== after.length || index === undefined || changed.length > 1) return undefined;
  return [before[index] as string, after[index] as string];
}

/** Deletes a section, the tokens that lead to it and what the session set for it. */
export function deleteSection(name: string, tree: JsonValue): Edit[] {
  const registry = registryOf(tree);
  const tokens: Edit[] = [];
  forEachToken(registry, (token, path) => {
    // From the end, so that the indices before still hold.
    if (sectionOfToken(registry, token) === name) tokens.unshift({ kind: 'remove', path });
  });
  const state: Edit[] = PARTS.filter((part) =>
    Object.hasOwn(partOf(stateOf(tree), part), name),
  ).map((part) => ({ kind: 'remove', path: ['state', part, name] }));
  const vars: Edit[] = Object.keys(partOf(stateOf(tree), 'template_vars'))
    .filter((key) => key.startsWith(`${name}::`))
    .map((key) => ({ kind: 'remove', path: ['state', 'template_vars', key] }));
  return [...tokens, ...state, ...vars, { kind: 'remove', path: ['registry', name] }];
}

/**
 * Puts the sections into this order, so that every move is a step of the history. Saving writes the
 * well-known ones in their canonical place all the same. Where the keys would stand as they do at a
 * time when the cards stood otherwise (`taken`), a key that is no section is moved as well: undo and
 * redo find the cards by the order of the keys.
 */
export function reorderSections(
  registry: JsonObject,
  order: string[],
  taken: (keys: string[]) => boolean,
): Edit[] {
  const section = (key: string) => isSection(key, registry[key]);
  const keys = Object.keys(registry);
  const wanted = order.filter((name) => section(name));
  const plain = keys.map((key) => (section(key) ? (wanted.shift() ?? key) : key));
  const free = (next: string[]) => !taken(next) && next.some((key, index) => key !== keys[index]);
  const other = plain.find((key) => !section(key));
  const rest = plain.filter((key) => key !== other);
  const shifted = other === undefined ? [] : plain.map((_, at) => rest.toSpliced(at, 0, other));
  const next = [plain, ...shifted].find(free);
  return next ? [{ kind: 'reorder_keys', path: ['registry'], keys: next }] : [];
}
