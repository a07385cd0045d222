// Applies typed edits to the page's replica of a session tree, with the meaning they have in the
// service: both run the cases of edits.cases.json. A tree is never changed in place: what an edit does
// not touch is shared with the tree before, so that a comparison by reference finds what changed.
import type { Edit, JsonValue, Step } from '../ipc';
import { splitsPair } from '../util/common-ends';
import { replacementBetween } from './replacement';

/** An object of the tree. */
export type JsonObject = { [key: string]: JsonValue };

/** An edit that names a place the tree does not have. */
export class EditError extends Error {
  constructor(
    readonly edit: Edit,
    reason: string,
  ) {
    super(`${edit.kind} at /${edit.path.join('/')}: ${reason}`);
    this.name = 'EditError';
  }
}

/** True for an object, not for an array or null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two trees are the same; what they share is not looked through. */
export function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, at) => isSame(each, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
}

/** The value at a path, or undefined. */
export function at(tree: JsonValue | undefined, path: readonly Step[]): JsonValue | undefined {
  let current = tree;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = current[step];
    else if (isObject(current) && typeof step === 'string' && Object.hasOwn(current, step)) {
      current = current[step];
    } else return undefined;
  }
  return current;
}

type Change = (parent: JsonValue | undefined, last: Step) => JsonValue;

/** Copies the way down to the parent of the path's last step and lets `change` create the new parent. */
function change(
  edit: Edit,
  tree: JsonValue | undefined,
  path: Step[],
  make: Change,
  create: boolean,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) throw new EditError(edit, 'it has no last step');
  if (rest.length === 0) return make(tree, step);
  if (Array.isArray(tree) && typeof step === 'number') {
    if (step >= tree.length) throw new EditError(edit, `there is no entry ${step}`);
    const copy = [...tree];
    copy[step] = change(edit, tree[step], rest, make, create);
    return copy;
  }
  const missing = tree === undefined && create;
  if (typeof step === 'string' && (isObject(tree) || missing)) {
    const child = tree && isObject(tree) && Object.hasOwn(tree, step) ? tree[step] : undefined;
    if (child === undefined && !create) throw new EditError(edit, `there is no key ${step}`);
    return { ...(tree as JsonObject | undefined), [step]: change(edit, child, rest, make, create) };
  }
  throw new EditError(edit, 'the place does not exist');
}

function keyOf(
  edit: Edit,
  parent: JsonValue | undefined,
  last: Step,
  present: boolean,
): [JsonObject, string] {
  if (!isObject(parent) || typeof last !== 'string') {
    throw new EditError(edit, 'the place does not exist');
  }
  if (Object.hasOwn(parent, last) !== present) {
    throw new EditError(edit, present ? `there is no key ${last}` : `the key ${last} is taken`);
  }
  return [parent, last];
}

function indexOf(edit: Edit, array: JsonValue[], last: number, end: number): number {
  if (last > end) throw new EditError(edit, `there is no entry ${last} of ${array.length}`);
  return last;
}

function set(edit: Edit & { kind: 'set' }): Change {
  return (parent, last) => {
    if (Array.isArray(parent) && typeof last === 'number') {
      const copy = [...parent];
      copy[indexOf(edit, parent, last, parent.length - 1)] = edit.value;
      return copy;
    }
    if (typeof last === 'string' && (parent === undefined || isObject(parent))) {
      return { ...parent, [last]: edit.value };
    }
    throw new EditError(edit, 'the place does not exist');
  };
}

function insert(edit: Edit & { kind: 'insert' }): Change {
  return (parent, last) => {
    if (Array.isArray(parent) && typeof last === 'number') {
      return parent.toSpliced(indexOf(edit, parent, last, parent.length), 0, edit.value);
    }
    const [object, key] = keyOf(edit, parent, last, false);
    const entries = Object.entries(object);
    const position = edit.position ?? entries.length;
    if (position > entries.length) throw new EditError(edit, `there is no position ${position}`);
    return Object.fromEntries(entries.toSpliced(position, 0, [key, edit.value])) as JsonObject;
  };
}

function remove(edit: Edit & { kind: 'remove' }): Change {
  return (parent, last) => {
    if (Array.isArray(parent) && typeof last === 'number') {
      return parent.toSpliced(indexOf(edit, parent, last, parent.length - 1), 1);
    }
    const [object, key] = keyOf(edit, parent, last, true);
    const rest = Object.entries(object).filter(([other]) => other !== key);
    return Object.fromEntries(rest);
  };
}

function move(edit: Edit & { kind: 'move' }, array: JsonValue | undefined): JsonValue {
  if (!Array.isArray(array)) throw new EditError(edit, 'there is no array');
  const from = indexOf(edit, array, edit.from, array.length - 1);
  const to = indexOf(edit, array, edit.to, array.length - 1);
  return array.toSpliced(from, 1).toSpliced(to, 0, array[from] as JsonValue);
}

function renameKey(edit: Edit & { kind: 'rename_key' }, object: JsonValue | undefined): JsonValue {
  const [from] = keyOf(edit, object, edit.from, true);
  if (edit.to !== edit.from) keyOf(edit, object, edit.to, false);
  const renamed = Object.entries(from).map(([key, value]) => [
    key === edit.from ? edit.to : key,
    value,
  ]);
  return Object.fromEntries(renamed) as JsonObject;
}

function reorderKeys(
  edit: Edit & { kind: 'reorder_keys' },
  object: JsonValue | undefined,
): JsonValue {
  if (!isObject(object)) throw new EditError(edit, 'there is no object');
  const keys = new Set(edit.keys);
  if (
    keys.size !== edit.keys.length ||
    keys.size !== Object.keys(object).length ||
    !edit.keys.every((key) => Object.hasOwn(object, key))
  ) {
    throw new EditError(edit, 'the keys are not those of the object');
  }
  return Object.fromEntries(edit.keys.map((key) => [key, object[key]])) as JsonObject;
}

function splice(edit: Edit & { kind: 'splice' }, text: JsonValue | undefined): JsonValue {
  if (typeof text !== 'string' || edit.at + edit.delete > text.length) {
    throw new EditError(edit, 'the text is not that long');
  }
  if (splitsPair(text, edit.at) || splitsPair(text, edit.at + edit.delete)) {
    throw new EditError(edit, 'it would cut a character in two');
  }
  return text.slice(0, edit.at) + edit.insert + text.slice(edit.at + edit.delete);
}

/** The tree after one edit. Throws an `EditError` when the place does not exist. */
export function apply(tree: JsonValue, edit: Edit): JsonValue {
  const replace = (make: (value: JsonValue | undefined) => JsonValue): JsonValue =>
    edit.path.length === 0
      ? make(tree)
      : change(
          edit,
          tree,
          edit.path,
          (parent, last) => {
            const value = make(at(parent, [last]));
            return set({ kind: 'set', path: edit.path, value })(parent, last);
          },
          false,
        );
  switch (edit.kind) {
    case 'set':
      return change(edit, tree, edit.path, set(edit), true);
    case 'insert':
      return change(edit, tree, edit.path, insert(edit), false);
    case 'remove':
      return change(edit, tree, edit.path, remove(edit), false);
    case 'move':
      return replace((array) => move(edit, array));
    case 'rename_key':
      return replace((object) => renameKey(edit, object));
    case 'reorder_keys':
      return replace((object) => reorderKeys(edit, object));
    case 'splice':
      return replace((text) => splice(edit, text));
  }
}

/** The tree after edits in order. */
export function applyAll(tree: JsonValue, edits: readonly Edit[]): JsonValue {
  return edits.reduce(apply, tree);
}

/** The smallest splice that turns `before` into `after`, never through the middle of a pair. */
export function spliceBetween(path: Step[], before: string, after: string): Edit {
  const { start, end, text } = replacementBetween(before, after);
  return { kind: 'splice', path, at: start, delete: end - start, insert: text };
}
