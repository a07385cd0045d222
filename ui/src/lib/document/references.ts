// Where a registry names sections and items: tokens of every assembly order, and how such a name is
// changed inside a token.
import { isObject, type JsonObject } from './edit';
import { sectionOf, type Section } from './registry';
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
