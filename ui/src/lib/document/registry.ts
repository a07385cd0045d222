// Reads a registry as the page needs it: sections in their order, items by identity, which fields
// are lists, what is set for a section. It evaluates nothing: what a call uses comes from the service.
import type { JsonValue } from '../ipc';
import {
  CONTEXT_SECTIONS,
  LABEL_FIELDS,
  NAME_LISTS,
  RESERVED_KEYS,
  SLIDER_DEFAULT,
  WELL_KNOWN_SECTIONS,
} from '../ipc/generated/constants';
import { isObject, type JsonObject } from './edit';

/** An item with its place and what it is called. */
export interface Item {
  index: number;
  /** `id`, else `name`, else `#index`. */
  name: string;
  /** The key that holds the identity; absent when the item has none. */
  key: 'id' | 'name' | undefined;
  value: JsonObject;
}

/** A section with its items. */
export interface Section {
  name: string;
  required: boolean;
  items: Item[];
  value: JsonObject;
}

/** The registry of a session tree. */
export function registryOf(tree: JsonValue): JsonObject {
  const registry = isObject(tree) ? tree.registry : undefined;
  return isObject(registry) ? registry : {};
}

const NOTHING: JsonObject = {};

/** The state of a session tree: the same object for as long as nothing in it is set. */
export function stateOf(tree: JsonValue): JsonObject {
  const state = isObject(tree) ? tree.state : undefined;
  return isObject(state) ? state : NOTHING;
}

/** One part of a state; empty when it is absent. */
export function partOf(
  state: JsonObject,
  part:
    'selections' | 'array_modes' | 'section_random' | 'sliders' | 'slider_random' | 'template_vars',
): JsonObject {
  const value = state[part];
  return isObject(value) ? value : NOTHING;
}

/** What one part of a state sets for a section; null sets nothing, as for the engine. */
export function settingOf(
  state: JsonObject,
  part: Parameters<typeof partOf>[1],
  section: string,
): JsonValue | undefined {
  const settings = partOf(state, part);
  return Object.hasOwn(settings, section) ? (settings[section] ?? undefined) : undefined;
}

/** The engine whose templates the texts of a registry may be. */
export const JINJA = 'jinja';

/** Whether the texts of a registry are templates, which the arguments of a call render. */
export const isTemplate = (registry: JsonObject): boolean => registry.template_engine === JINJA;

/** Whether a key of a registry holds a section. */
export function isSection(key: string, value: JsonValue | undefined): boolean {
  return !RESERVED_KEYS.includes(key) && isObject(value) && Object.hasOwn(value, 'items');
}

/** The names of the sections in canonical order: the well-known ones, then the others as in the file. */
export function sectionNames(registry: JsonObject): string[] {
  return canonicalOrder(Object.keys(registry).filter((key) => isSection(key, registry[key])));
}

/** Names of sections with the well-known ones first. */
export function canonicalOrder(names: string[]): string[] {
  const known = WELL_KNOWN_SECTIONS.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** The author's arrangement applied to the names there are; what it does not name follows. */
export function arranged(names: string[], order: string[]): string[] {
  const existing = new Set(names);
  const wanted = order.filter((name) => existing.has(name));
  const placed = new Set(wanted);
  return [...wanted, ...names.filter((name) => !placed.has(name))];
}

/** What an item is called and where that is written. */
export function identityOf(value: JsonObject, index: number): Pick<Item, 'name' | 'key'> {
  for (const key of ['id', 'name'] as const) {
    const name = value[key];
    if (typeof name === 'string' && name !== '') return { name, key };
  }
  return { name: `#${index + 1}`, key: undefined };
}

/** A section of a registry, or undefined when there is none of that name. */
export function sectionOf(registry: JsonObject, name: string): Section | undefined {
  const value = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (!isObject(value)) return undefined;
  const known = readSections.get(value);
  if (known?.name === name) return known;
  const section = readSection(name, value);
  readSections.set(value, section);
  return section;
}

/**
 * Sections and items as they were read. Trees share what an edit did not touch, so a keystroke in
 * one item leaves the others the very same objects, and nothing drawn from them is drawn again.
 */
const readSections = new WeakMap<JsonObject, Section>();
const readItems = new WeakMap<JsonObject, Item>();

function readSection(name: string, value: JsonObject): Section {
  const items = Array.isArray(value.items) ? value.items : [];
  return {
    name,
    required: value.required !== false,
    items: items.map((item, index) => readItem(isObject(item) ? item : {}, index)),
    value,
  };
}

function readItem(value: JsonObject, index: number): Item {
  const known = readItems.get(value);
  if (known?.index === index) return known;
  const item = { index, value, ...identityOf(value, index) };
  readItems.set(value, item);
  return item;
}

/** The field a bare token of the section prints. */
export function primaryField(section: string): 'context' | 'text' {
  return CONTEXT_SECTIONS.includes(section) ? 'context' : 'text';
}

/** Names of declared template variables, without braces. */
export function templateVars(section: Section): string[] {
  return strings(section.value.template_vars).map(unbraced);
}

/** A variable's name as it is used. */
export function unbraced(name: string): string {
  return name.replace(/^\{+/, '').replace(/\}+$/, '').trim();
}

/** The strings of a list, passing over everything else. */
export function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** Whether a field of an item can be printed as itself. */
export function isPrintable(field: string): boolean {
  return !LABEL_FIELDS.includes(field) && !NAME_LISTS.includes(field) && field !== 'fragments';
}

/** Fields of an item that print as lists. */
export function arrayFields(item: JsonObject): string[] {
  return Object.keys(item).filter((key) => Array.isArray(item[key]) && isPrintable(key));
}

/** Those of them that are edited row by row: the lists of texts. */
export function rowFields(item: JsonObject): string[] {
  return arrayFields(item).filter((key) => strings(item[key]).length === (item[key] as []).length);
}

/** Indices of the selected items: state, else baked, else the default. */
export function selectedItems(section: Section, state: JsonObject): number[] {
  const chosen = settingOf(state, 'selections', section.name) ?? section.value.selected;
  const ids = typeof chosen === 'string' ? [chosen] : strings(chosen);
  const found = section.items.filter((item) => item.key && ids.includes(item.name));
  if (!section.required) return found.map((item) => item.index);
  const first = ids
    .map((id) => section.items.find((item) => item.key && item.name === id))
    .find((item) => item !== undefined);
  const item = first ?? section.items[0];
  return item ? [item.index] : [];
}

/** Whether the section's item is rolled. A selection in the state switches off a baked die. */
export function isRandom(section: Section, state: JsonObject): boolean {
  return random(section, state, 'section_random', 'selections');
}

/** Whether the section's slider is rolled. A value in the state switches off a baked die. */
export function isSliderRandom(section: Section, state: JsonObject): boolean {
  return random(section, state, 'slider_random', 'sliders');
}

function random(
  section: Section,
  state: JsonObject,
  part: 'section_random' | 'slider_random',
  settles: 'selections' | 'sliders',
): boolean {
  const set = settingOf(state, part, section.name);
  if (set !== undefined) return set === true;
  if (settingOf(state, settles, section.name) !== undefined) return false;
  return section.value[part] === true;
}

/** The slider as set: state, else baked, else the default. */
export function sliderValue(section: Section, state: JsonObject): number {
  const value = settingOf(state, 'sliders', section.name) ?? section.value.slider;
  return typeof value === 'number' ? value : SLIDER_DEFAULT;
}

/** The mode of an array field as written: state, else baked, else `all`. */
export function modeText(section: Section, field: string, state: JsonObject): string {
  const setModes = settingOf(state, 'array_modes', section.name);
  const baked = section.value.array_modes;
  const mode =
    (isObject(setModes) ? setModes[field] : null) ?? (isObject(baked) ? baked[field] : null);
  return typeof mode === 'string' ? mode : 'all';
}

/** What the author typed for a template variable in this session. */
export function typedVar(section: string, name: string, state: JsonObject): string | undefined {
  const value = partOf(state, 'template_vars')[`${section}::${name}`];
  return typeof value === 'string' ? value : undefined;
}

/** The other sections that declare a variable of this name and have not this value for it. */
export function namesakes(
  sections: readonly Section[],
  section: string,
  name: string,
  state: JsonObject,
): string[] {
  const value = typedVar(section, name, state);
  const differs = (each: Section) =>
    each.name !== section &&
    templateVars(each).includes(name) &&
    typedVar(each.name, name, state) !== value;
  return sections.filter(differs).map((each) => each.name);
}

/** The key under which a variable has its default: its name, with or without braces. */
export function defaultKey(section: Section, name: string): string | undefined {
  const defaults = section.value.template_var_defaults;
  if (!isObject(defaults)) return undefined;
  return [name, `{${name}}`].find((key) => defaults[key] !== undefined && defaults[key] !== null);
}

/** The value a variable has when nothing is typed. */
export function defaultVar(section: Section, name: string): string | undefined {
  const defaults = section.value.template_var_defaults;
  const key = defaultKey(section, name);
  const value = isObject(defaults) && key !== undefined ? defaults[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The assembly order in use: the route's own, else the registry's. */
export function assemblyOf(tree: JsonValue): { path: (string | number)[]; tokens: string[] } {
  const registry = registryOf(tree);
  const route = isObject(tree) && typeof tree.route === 'string' ? tree.route : undefined;
  const routes = registry.routes;
  if (route !== undefined && isObject(routes)) {
    const routeSettings = routes[route];
    if (isObject(routeSettings) && Array.isArray(routeSettings.assembly_order)) {
      return {
        path: ['registry', 'routes', route, 'assembly_order'],
        tokens: strings(routeSettings.assembly_order),
      };
    }
  }
  return { path: ['registry', 'assembly_order'], tokens: strings(registry.assembly_order) };
}
