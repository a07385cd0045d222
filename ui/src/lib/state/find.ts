// Finding words in a deck: in the names of sections and items and in every text of an item.
import type { JsonValue } from '../ipc';
import { isObject, type JsonObject } from './edit';
import type { Place } from './place';
import { sectionOf } from './registry';

const AT_MOST = 1000;

/** Places whose name or text holds the words, in the order of the sections given. */
export function findPlaces(registry: JsonObject, sections: string[], words: string): Place[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const found: Place[] = [];
  const holds = (value: string) => value.toLowerCase().includes(wanted);
  const add = (place: Place) => {
    if (found.length < AT_MOST) found.push(place);
  };
  for (const name of sections) {
    const section = sectionOf(registry, name);
    if (!section) continue;
    if (holds(name)) add({ section: name });
    for (const item of section.items) {
      for (const [field, value] of Object.entries(item.value)) {
        for (const [entry, words] of textsOf(value)) {
          if (!holds(words)) continue;
          const place: Place = { section: name, item: item.index, field };
          if (field === 'fragments') place.fragment = entry;
          else place.entry = entry;
          add(place);
        }
      }
    }
  }
  return found;
}

function textsOf(value: JsonValue): [number | undefined, string][] {
  if (typeof value === 'string') return [[undefined, value]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry, index): [number, string][] => {
    if (typeof entry === 'string') return [[index, entry]];
    if (isObject(entry) && typeof entry.text === 'string') return [[index, entry.text]];
    return [];
  });
}
