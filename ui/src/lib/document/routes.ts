// The routes of a registry: the edits that add, copy, rename and delete them, what each replaces, and
// how its assembly order differs from the default one.
import type { Edit, JsonValue, Part } from '../ipc';
import { BUILT_IN_ROUTE } from '../ipc/generated/constants';
import { at, isObject, type JsonObject } from './edit';
import { registryOf, strings } from './registry';

const ROUTES = ['registry', 'routes'];

/** The settings of one route. */
export interface Route {
  /** Null is the default: the registry's own order and settings. */
  name: string | null;
  /** Its own assembly order; undefined where it keeps the default one. */
  tokens: string[] | undefined;
  generation: string[];
  policy: string[];
}

/** The default route, then the others as in the file. */
export function routesOf(registry: JsonObject): Route[] {
  const keys = (value: JsonValue | undefined) => (isObject(value) ? Object.keys(value) : []);
  const read = (name: string | null, from: JsonObject): Route => ({
    name,
    tokens: Array.isArray(from.assembly_order) ? strings(from.assembly_order) : undefined,
    generation: keys(from.generation),
    policy: keys(from.output_policy),
  });
  const routes = isObject(registry.routes) ? registry.routes : {};
  return [
    read(null, registry),
    ...Object.entries(routes).map(([name, route]) => read(name, isObject(route) ? route : {})),
  ];
}

/** Whether a name is one a new route can have. */
export function isFree(registry: JsonObject, name: string): boolean {
  if (name === '' || name === BUILT_IN_ROUTE) return false;
  return !(isObject(registry.routes) && Object.hasOwn(registry.routes, name));
}

/** A name no route has, made of this one. */
export function freeRouteName(registry: JsonObject, stem: string): string {
  let name = stem;
  for (let number = 2; !isFree(registry, name); number += 1) name = `${stem}_${number}`;
  return name;
}

/** Adds a route that begins with the default order, or with a copy of another route. */
export function addRoute(registry: JsonObject, name: string, from: string | null): Edit[] {
  const copied = from === null ? undefined : at(registry, ['routes', from]);
  const value = isObject(copied)
    ? copied
    : { assembly_order: strings(registry.assembly_order) as JsonValue[] };
  return isObject(registry.routes)
    ? [{ kind: 'insert', path: [...ROUTES, name], value }]
    : [{ kind: 'set', path: ROUTES, value: { [name]: value } }];
}

/** Renames a route; the session goes on using it when it did. */
export function renameRoute(tree: JsonValue, from: string, to: string): Edit[] {
  const edits: Edit[] = [{ kind: 'rename_key', path: ROUTES, from, to }];
  if (at(tree, ['route']) === from) edits.push({ kind: 'set', path: ['route'], value: to });
  return edits;
}

/** Deletes a route; the session goes back to the default when it was in use. */
export function deleteRoute(tree: JsonValue, name: string): Edit[] {
  const edits: Edit[] = [{ kind: 'remove', path: [...ROUTES, name] }];
  if (at(tree, ['route']) === name) edits.unshift({ kind: 'set', path: ['route'], value: null });
  return edits;
}

/** Gives a route a separate order, a copy of the default one, or removes it. */
export function setOwnOrder(tree: JsonValue, name: string, hasOwnOrder: boolean): Edit[] {
  const path = [...ROUTES, name, 'assembly_order'];
  if (!hasOwnOrder) return [{ kind: 'remove', path }];
  return [{ kind: 'set', path, value: strings(registryOf(tree).assembly_order) }];
}

/** From one order to the other, one token a line. */
export function orderDifference(before: string[], after: string[]): Part[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const parts: Part[] = [];
  const push = (kind: Part['kind'], tokens: string[]) => {
    const text = tokens.map((token) => `${token}\n`).join('');
    const last = parts.at(-1);
    if (text === '') return;
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  push('same', before.slice(0, head));
  longestCommon(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
    push,
  );
  push('same', before.slice(before.length - tail));
  return parts;
}

/** Walks the longest common subsequence of two orders. */
function longestCommon(
  left: string[],
  right: string[],
  push: (kind: Part['kind'], tokens: string[]) => void,
): void {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? length(i + 1, j + 1) + 1
          : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    if (a !== undefined && a === b) {
      push('same', [a]);
      i += 1;
      j += 1;
    } else if (a !== undefined && (b === undefined || length(i + 1, j) >= length(i, j + 1))) {
      push('removed', [a]);
      i += 1;
    } else if (b !== undefined) {
      push('added', [b]);
      j += 1;
    }
  }
}
