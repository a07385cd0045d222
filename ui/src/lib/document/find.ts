// Finding words in a deck, and replacing them: in the names of sections, items' texts, variables and
// scale sentences, in routes and in every setting of generation and output policy.
import type { Edit, JsonValue, Step } from '../ipc';
import { escapePattern } from '../util/escape-pattern';
import { FIELDS, ownSettings, settingsPath } from './call-settings';
import { at, isObject, spliceBetween } from './edit';
import { FIELDS_OF_NAMES } from './item-fields';
import { NAME, type Place } from './place';
import {
  defaultKey,
  defaultVar,
  registryOf,
  sectionOf,
  strings,
  templateVars,
  unbraced,
} from './registry';
import { routesOf } from './routes';

/** So many hits are listed; those after them are not looked for. */
export const MOST_HITS = 10_000;

/** Where the words are in a text of the document, in UTF-16 units. */
export interface Match {
  path: Step[];
  start: number;
  end: number;
  /** Whether it is the name of a declared variable, as `{venue}`, or a part of one, or is in a field of
   *  names: replacing it would break what it names. A text that holds `{venue}` as a whole is none. */
  inName: boolean;
}

/** The words once: a match in a text, or a name that holds them. */
export interface Hit {
  place: Place;
  match?: Match;
}

/** How the words are looked for. */
export interface FindOptions {
  /** Only where no letter, number or underscore is beside them. */
  wholeWords: boolean;
  /** Only in the same case. */
  matchCase: boolean;
}

const ANYWHERE: FindOptions = { wholeWords: false, matchCase: false };

/** What continues a word. */
const IN_WORD = '[\\p{L}\\p{M}\\p{N}_]';

/** What finds these words; nothing if they are blank. */
export function patternOf(
  words: string,
  { wholeWords, matchCase }: FindOptions,
): RegExp | undefined {
  if (words.trim() === '') return undefined;
  let pattern = escapePattern(words);
  if (wholeWords) {
    // Where they begin or end with another character, as `(host` does, no word goes on.
    if (new RegExp(`^${IN_WORD}`, 'u').test(words)) pattern = `(?<!${IN_WORD})${pattern}`;
    if (new RegExp(`${IN_WORD}$`, 'u').test(words)) pattern = `${pattern}(?!${IN_WORD})`;
  }
  return new RegExp(pattern, matchCase ? 'gu' : 'giu');
}

/** Every hit of the words, from the first of the sections given to the settings, up to the most that are
 *  listed. */
export function findHits(
  tree: JsonValue,
  route: string | null,
  sections: string[],
  words: string,
  options: FindOptions = ANYWHERE,
): Hit[] {
  const search = searchDeck(tree, route, sections, words, options);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

/** Looks for the words as `findHits` does, and gives what it has found so far after each item. */
export function* searchDeck(
  tree: JsonValue,
  route: string | null,
  sections: string[],
  words: string,
  options: FindOptions,
): Generator<readonly Hit[], Hit[], void> {
  const pattern = patternOf(words, options);
  if (!pattern) return [];
  const found: Hit[] = [];
  const holds = (value: string) => value.search(pattern) >= 0;
  const add = (place: Place, match?: Match) => {
    if (found.length < MOST_HITS) found.push(match ? { place, match } : { place });
  };
  const matchesIn = (text: string): RegExpExecArray[] => {
    const matches: RegExpExecArray[] = [];
    for (const match of text.matchAll(pattern)) {
      // A text of megabytes may hold a million of a single letter.
      if (found.length + matches.length >= MOST_HITS) break;
      matches.push(match);
    }
    return matches;
  };
  const addTexts = (
    value: JsonValue | undefined,
    path: Step[],
    place: (entry: number | undefined) => Place,
    variables: readonly string[] = [],
    isName = false,
  ) => {
    for (const { text, entry, steps } of textsOf(value)) {
      if (typeof text === 'number') {
        if (holds(String(text))) add(place(entry));
        continue;
      }
      const matches = matchesIn(text);
      // Most texts hold none of the words, and this is done at every key.
      const names = matches.length > 0 ? spansOfNames(text, variables) : [];
      for (const { 0: words, index: start } of matches) {
        const end = start + words.length;
        const inName =
          isName ||
          names.some(
            ([from, to]) =>
              start < to && end > from && (start > from || end < to || end - start === to - from),
          );
        add(place(entry), { path: [...path, ...steps], start, end, inName });
      }
    }
  };
  const registry = registryOf(tree);
  for (const name of sections) {
    const section = sectionOf(registry, name);
    if (!section) continue;
    if (holds(name)) add({ section: name });
    const steps: Step[] = ['registry', name];
    const variables = templateVars(section);
    variables.forEach((each, entry) => {
      const place = { section: name, field: 'template_vars', entry };
      if (holds(each)) add(place);
      const key = defaultKey(section, each);
      if (key === undefined) return;
      addTexts(defaultVar(section, each), [...steps, 'template_var_defaults', key], () => place);
    });
    addTexts(
      section.value.scale_template,
      [...steps, 'scale_template'],
      () => ({ section: name, field: 'scale_template' }),
      variables,
    );
    for (const item of section.items) {
      const declared = [...variables, ...strings(item.value.runtime_variables).map(unbraced)];
      for (const [field, value] of Object.entries(item.value)) {
        const place: Place = { section: name, item: item.index, field };
        if (field === item.key) {
          if (typeof value === 'string' && holds(value)) add({ ...place, field: NAME });
          continue;
        }
        const numbered = field === 'fragments' ? 'fragment' : 'entry';
        addTexts(
          value,
          [...steps, 'items', item.index, field],
          (entry) => (entry === undefined ? place : { ...place, [numbered]: entry }),
          declared,
          FIELDS_OF_NAMES.has(field),
        );
      }
      yield found;
      if (found.length === MOST_HITS) return found;
    }
  }
  for (const part of ['title', 'description']) {
    addTexts(registry[part], ['registry', part], () => ({ part }));
  }
  for (const { name } of routesOf(registry)) {
    if (name !== null && holds(name)) add({ part: 'routes', route: name });
  }
  for (const part of ['generation', 'output_policy'] as const) {
    const settings = ownSettings(tree, part, route);
    const names = new Set([...FIELDS[part].map((field) => field.name), ...Object.keys(settings)]);
    for (const field of names) {
      const place: Place = { part, field };
      if (holds(field)) add(place);
      addTexts(settings[field], [...settingsPath(part, route), field], (entry) =>
        entry === undefined ? place : { ...place, entry },
      );
    }
  }
  return found;
}

/** Edits that put other words in the place of matches; several in one text are one edit. */
export function replaceEdits(tree: JsonValue, matches: readonly Match[], words: string): Edit[] {
  const byText = new Map<string, Match[]>();
  for (const match of matches) {
    const text = JSON.stringify(match.path);
    byText.set(text, [...(byText.get(text) ?? []), match]);
  }
  return [...byText].flatMap(([text, inText]): Edit[] => {
    const path = JSON.parse(text) as Step[];
    const before = at(tree, path);
    if (typeof before !== 'string') return [];
    let after = '';
    let done = 0;
    for (const { start, end } of inText) {
      after += before.slice(done, start) + words;
      done = end;
    }
    after += before.slice(done);
    return after === before ? [] : [spliceBetween(path, before, after)];
  });
}

/** Where a text names declared variables in braces, braces included. As in the prompt, a name ends at
 *  the first brace that closes, and the braces around `{{venue}}` are text. */
function spansOfNames(text: string, variables: readonly string[]): [start: number, end: number][] {
  const spans: [number, number][] = [];
  // Only as far as the longest name reaches, or a row of braces costs its square.
  const longest = Math.max(...variables.map((name) => name.length));
  let at = variables.length > 0 ? text.indexOf('{') : -1;
  while (at >= 0) {
    const inside = text.slice(at + 1, at + longest + 2);
    const length = inside.indexOf('}');
    const end = at + length + 2;
    const isName = length >= 0 && variables.includes(inside.slice(0, length));
    if (isName) spans.push([at, end]);
    at = text.indexOf('{', isName ? end : at + 1);
  }
  return spans;
}

/** A text in a value: the entry of the list that it is in, and the steps to it from the value. */
interface Readable {
  text: string | number;
  entry: number | undefined;
  steps: Step[];
}

/** What can be read in a value. */
function textsOf(value: JsonValue | undefined): Readable[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return [{ text: value, entry: undefined, steps: [] }];
  }
  if (!Array.isArray(value)) return [];
  return value.flatMap((each, entry): Readable[] => {
    if (typeof each === 'string') return [{ text: each, entry, steps: [entry] }];
    if (isObject(each) && typeof each.text === 'string') {
      return [{ text: each.text, entry, steps: [entry, 'text'] }];
    }
    return [];
  });
}
