// Where a registry names sections and items: tokens of every assembly order, and how such a name is
// changed inside a token.
import { isObject, type JsonObject } from './edit';
import { sectionOf, strings, type Section } from './registry';
import { headOf, sectionOfToken } from './token';

/** Calls back for every token of the default order and of each route's own, with its path. */
export function forEachToken(
  registry: JsonObject,
  visit: (token: string, path: (string | number)[]) => void,
): void {
  const list = (value: unknown, path: (string | number)[]) => {
    if (!Array.isArray(value)) return;
    value.forEach((token, index) => {
      if (typeof token === 'string') visit(token, [...path, index]);
    });
  };
  list(registry.assembly_order, ['registry', 'assembly_order']);
  const routes = registry.routes;
  if (!isObject(routes)) return;
  for (const [name, route] of Object.entries(routes)) {
    if (isObject(route)) list(route.assembly_order, ['registry', 'routes', name, 'assembly_order']);
  }
}

/** A place where an item names a section, alone or with one of its items after a dot. */
interface Reference {
  path: [string, string, 'items', number, string, number];
  entry: string;
}

/** Where items name a section: what injections keep, and what items require and exclude. */
export function referencesTo(registry: JsonObject, section: string): Reference[] {
  return Object.entries(registry).flatMap(([name, other]) => {
    if (!isObject(other) || !Array.isArray(other.items)) return [];
    return other.items.flatMap((item, at) => {
      if (!isObject(item)) return [];
      return ['include_sections', 'requires', 'excludes'].flatMap((field) =>
        strings(item[field]).flatMap((entry, index): Reference[] => {
          const isItem = field !== 'include_sections' && entry.startsWith(`${section}.`);
          if (entry !== section && !isItem) return [];
          return [{ path: ['registry', name, 'items', at, field, index], entry }];
        }),
      );
    });
  });
}

/** How many items of other sections name a section. */
export function namedByItems(registry: JsonObject, section: string): number {
  const items = referencesTo(registry, section)
    .map(({ path: [, name, , at] }) => ({ name, at }))
    .filter(({ name }) => name !== section);
  return new Set(items.map(({ name, at }) => `${at} ${name}`)).size;
}

/** The inner token of a look-up with the text before it, or undefined. */
function lookUp(token: string): { before: string; inner: string; after: string } | undefined {
  const open = token.indexOf('[');
  const close = token.lastIndexOf(']');
  if (open < 0 || close < open) return undefined;
  return {
    before: token.slice(0, open + 1),
    inner: token.slice(open + 1, close),
    after: token.slice(close),
  };
}

/** A token with one item renamed in it, wherever the token names that item. */
export function renameItemInToken(
  registry: JsonObject,
  token: string,
  section: Section,
  from: string,
  to: string,
): string {
  const nested = lookUp(token);
  if (nested) {
    const inner = renameItemInToken(registry, nested.inner, section, from, to);
    return nested.before + inner + nested.after;
  }
  const dot = token.indexOf('.');
  if (dot < 0 || token.slice(dot + 1) !== from) return token;
  if (sectionOfToken(registry, token) !== section.name) return token;
  // A field of that name comes before an item of that name.
  const isField = section.items.some((item) => Object.hasOwn(item.value, from));
  return isField ? token : token.slice(0, dot + 1) + to;
}

/** A token with a section renamed in it; an alias of it is spelled out. */
export function renameSectionInToken(
  registry: JsonObject,
  token: string,
  from: string,
  to: string,
): string {
  const nested = lookUp(token);
  if (nested) {
    const inner = renameSectionInToken(registry, nested.inner, from, to);
    return renameHead(registry, nested.before, from, to) + inner + nested.after;
  }
  return renameHead(registry, token, from, to);
}

function renameHead(registry: JsonObject, token: string, from: string, to: string): string {
  if (sectionOfToken(registry, token) !== from) return token;
  return to + token.slice(token.indexOf(headOf(token)) + headOf(token).length);
}

/** How many tokens lead to a section or look something up in it. */
export function tokensOf(registry: JsonObject, section: string): number {
  let count = 0;
  forEachToken(registry, (token) => {
    if (sectionOf(registry, section) && sectionOfToken(registry, token) === section) count += 1;
  });
  return count;
}
