// Applies edits to the page's replica of a document's tree, in place, exactly as the service
// applies them (both run the cases of edits.cases.json). It inverts nothing: undo comes from
// the service as edits.
import type { Edit, JsonValue, Step } from './generated';

type Branch = JsonValue[] | Record<string, JsonValue>;

/** An edit that does not fit the tree; the replica is out of step then. */
export class BadEdit extends Error {}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function child(branch: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (Array.isArray(branch)) return typeof step === 'number' ? branch[step] : undefined;
  if (isObject(branch))
    return typeof step === 'string' && Object.hasOwn(branch, step) ? branch[step] : undefined;
  return undefined;
}

/** The value at a path, undefined when there is none. */
export function at(tree: JsonValue, path: Step[]): JsonValue | undefined {
  let value: JsonValue | undefined = tree;
  for (const step of path) value = child(value, step);
  return value;
}

function parentOf(tree: JsonValue, path: Step[], make: boolean): [Branch, Step] {
  const last = path.at(-1);
  if (last === undefined) throw new BadEdit('the root itself is not edited');
  let branch: JsonValue = tree;
  for (const step of path.slice(0, -1)) {
    let next = child(branch, step);
    if (next === undefined && make && isObject(branch) && typeof step === 'string') {
      next = {};
      put(branch, step, next);
      next = branch[step];
    }
    if (next === undefined) throw new BadEdit(`nothing at ${String(step)}`);
    branch = next;
  }
  if (
    Array.isArray(branch) ? typeof last !== 'number' : !isObject(branch) || typeof last !== 'string'
  )
    throw new BadEdit(`no place ${String(last)}`);
  return [branch as Branch, last];
}

/** Assigns a key; `__proto__` is a key like any other in JSON. */
function put(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  else object[key] = value;
}

/** Rewrites an object's keys in place, in the order given. */
function rebuild(object: Record<string, JsonValue>, entries: [string, JsonValue][]): void {
  for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
  for (const [key, value] of entries) put(object, key, value);
}

function list(tree: JsonValue, path: Step[]): JsonValue[] {
  const value = at(tree, path);
  if (!Array.isArray(value)) throw new BadEdit('not a list');
  return value;
}

function object(tree: JsonValue, path: Step[]): Record<string, JsonValue> {
  const value = at(tree, path);
  if (!isObject(value)) throw new BadEdit('not an object');
  return value;
}

function set(tree: JsonValue, path: Step[], value: JsonValue): void {
  const [branch, last] = parentOf(tree, path, true);
  if (Array.isArray(branch)) {
    if ((last as number) >= branch.length) throw new BadEdit('index out of range');
    branch[last as number] = value;
  } else put(branch, last as string, value);
}

function insert(
  tree: JsonValue,
  path: Step[],
  value: JsonValue,
  position: number | undefined,
): void {
  const [branch, last] = parentOf(tree, path, false);
  if (Array.isArray(branch)) {
    if ((last as number) > branch.length) throw new BadEdit('index out of range');
    branch.splice(last as number, 0, value);
    return;
  }
  const key = last as string;
  if (Object.hasOwn(branch, key)) throw new BadEdit(`${key} is there already`);
  const entries = Object.entries(branch);
  if (position === undefined || position === entries.length) {
    put(branch, key, value);
    return;
  }
  if (position > entries.length) throw new BadEdit('position out of range');
  entries.splice(position, 0, [key, value]);
  rebuild(branch, entries);
}

function remove(tree: JsonValue, path: Step[]): void {
  const [branch, last] = parentOf(tree, path, false);
  if (child(branch, last) === undefined) throw new BadEdit(`nothing at ${String(last)}`);
  if (Array.isArray(branch)) branch.splice(last as number, 1);
  else Reflect.deleteProperty(branch, last);
}

function move(tree: JsonValue, path: Step[], from: number, to: number): void {
  const entries = list(tree, path);
  if (from >= entries.length || to >= entries.length) throw new BadEdit('index out of range');
  const [moved] = entries.splice(from, 1);
  entries.splice(to, 0, moved as JsonValue);
}

function renameKey(tree: JsonValue, path: Step[], from: string, to: string): void {
  const target = object(tree, path);
  if (!Object.hasOwn(target, from)) throw new BadEdit(`no key ${from}`);
  if (from === to) return;
  if (Object.hasOwn(target, to)) throw new BadEdit(`${to} is there already`);
  rebuild(
    target,
    Object.entries(target).map(([key, value]) => [key === from ? to : key, value]),
  );
}

function reorderKeys(tree: JsonValue, path: Step[], keys: string[]): void {
  const target = object(tree, path);
  const known = new Set(keys);
  if (known.size !== keys.length || keys.length !== Object.keys(target).length)
    throw new BadEdit('not all keys, or not once each');
  const entries = keys.map((key): [string, JsonValue] => {
    if (!Object.hasOwn(target, key)) throw new BadEdit(`no key ${key}`);
    return [key, target[key] as JsonValue];
  });
  rebuild(target, entries);
}

function splitsCharacter(text: string, place: number): boolean {
  const unit = (at: number) => text.charCodeAt(at) & 0xfc00;
  return place > 0 && unit(place - 1) === 0xd800 && unit(place) === 0xdc00;
}

function splice(tree: JsonValue, path: Step[], start: number, length: number, text: string): void {
  const old = at(tree, path);
  if (typeof old !== 'string' || start + length > old.length)
    throw new BadEdit('no such stretch of text');
  if (splitsCharacter(old, start) || splitsCharacter(old, start + length))
    throw new BadEdit('half a character');
  set(tree, path, old.slice(0, start) + text + old.slice(start + length));
}

/** A copy of its own for the replica; what is sent must not change with it. */
const copy = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

/** Applies one edit to the tree, in place. */
export function applyEdit(tree: JsonValue, edit: Edit): void {
  switch (edit.kind) {
    case 'set':
      return set(tree, edit.path, copy(edit.value));
    case 'insert':
      return insert(tree, edit.path, copy(edit.value), edit.position);
    case 'remove':
      return remove(tree, edit.path);
    case 'move':
      return move(tree, edit.path, edit.from, edit.to);
    case 'rename_key':
      return renameKey(tree, edit.path, edit.from, edit.to);
    case 'reorder_keys':
      return reorderKeys(tree, edit.path, edit.keys);
    case 'splice':
      return splice(tree, edit.path, edit.at, edit.delete, edit.insert);
  }
}
