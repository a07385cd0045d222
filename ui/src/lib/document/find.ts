// Finding words in a deck: in the names of sections, items' texts, variables and scale sentences, in
// routes and in every setting of generation and output policy.
import type { JsonValue } from '../ipc';
import { FIELDS, ownSettings } from './call-settings';
import { isObject } from './edit';
import { NAME, type Place } from './place';
import { defaultVar, registryOf, sectionOf, templateVars } from './registry';
import { routesOf } from './routes';

const AT_MOST = 1000;

/** Places whose name or text holds the words, from the first of the sections given to the settings. */
export function findPlaces(
  tree: JsonValue,
  route: string | null,
  sections: string[],
  words: string,
): Place[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const found: Place[] = [];
  const holds = (value: string) => value.toLowerCase().includes(wanted);
  const add = (place: Place) => {
    if (found.length < AT_MOST) found.push(place);
  };
  const addTexts = (value: JsonValue | undefined, place: Place) => {
    for (const [entry, words] of textsOf(value)) {
      if (!holds(words)) continue;
      add(entry === undefined ? place : { ...place, entry });
    }
  };
  const registry = registryOf(tree);
  for (const name of sections) {
    const section = sectionOf(registry, name);
    if (!section) continue;
    if (holds(name)) add({ section: name });
    templateVars(section).forEach((each, entry) => {
      if (holds(each) || holds(defaultVar(section, each) ?? '')) {
        add({ section: name, field: 'template_vars', entry });
      }
    });
    addTexts(section.value.scale_template, { section: name, field: 'scale_template' });
    for (const item of section.items) {
      for (const [field, value] of Object.entries(item.value)) {
        const place: Place = { section: name, item: item.index, field };
        if (field === item.key) place.field = NAME;
        if (field !== 'fragments') addTexts(value, place);
        else {
          for (const [fragment, words] of textsOf(value))
            if (holds(words)) add({ ...place, fragment });
        }
      }
    }
  }
  for (const part of ['title', 'description']) addTexts(registry[part], { part });
  for (const { name } of routesOf(registry)) {
    if (name !== null && holds(name)) add({ part: 'routes', route: name });
  }
  for (const part of ['generation', 'output_policy'] as const) {
    const own = ownSettings(tree, part, route);
    const names = new Set([...FIELDS[part].map((field) => field.name), ...Object.keys(own)]);
    for (const field of names) {
      const place: Place = { part, field };
      if (holds(field)) add(place);
      else addTexts(own[field], place);
    }
  }
  return found;
}

/** What can be read in a value, with its place when it is an entry of a list. */
function textsOf(value: JsonValue | undefined): [entry: number | undefined, words: string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[undefined, String(value)]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry, index): [number, string][] => {
    if (typeof entry === 'string') return [[index, entry]];
    if (isObject(entry) && typeof entry.text === 'string') return [[index, entry.text]];
    return [];
  });
}
