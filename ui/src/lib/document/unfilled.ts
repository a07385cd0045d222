// Which expectations of a file of checks wait to be filled in: added without a text, and not left yet.
// Edits of the file move them along with their checks.
import type { Edit, JsonValue } from '../ipc';
import { at, isObject } from './edit';
import { kindOf } from './expectations';

/** Pointers of expectations. */
export type Unfilled = ReadonlySet<string>;

/** The pointer of an expectation. */
export const pointerOf = (check: number, expectation: number): string =>
  `/checks/${check}/expect/${expectation}`;

/** The numbers of a pointer: of the check and of its expectation. */
function numbersOf(pointer: string): [check: number, expectation: number] {
  const [, , check, , expectation] = pointer.split('/');
  return [Number(check), Number(expectation)];
}

/** Whether an expectation says nothing. */
function isEmpty(expectation: JsonValue): boolean {
  const kind = kindOf(expectation);
  return kind !== undefined && isObject(expectation) && expectation[kind.key] === '';
}

/** The expectations without a text in a value at a path of a file of checks. */
function emptyIn(path: Edit['path'], value: JsonValue): string[] {
  const list = (found: JsonValue | undefined) => (Array.isArray(found) ? found : []);
  const ofCheck = (check: number, expect: JsonValue | undefined) =>
    list(expect).flatMap((each, index) => (isEmpty(each) ? [pointerOf(check, index)] : []));
  const [, check, , expectation] = path;
  switch (path.length) {
    case 1:
      return list(value).flatMap((each, index) => ofCheck(index, at(each, ['expect'])));
    case 2:
      return ofCheck(Number(check), at(value, ['expect']));
    case 3:
      return ofCheck(Number(check), value);
    case 4:
      return isEmpty(value) ? [pointerOf(Number(check), Number(expectation))] : [];
    default:
      return [];
  }
}

/** Moves numbers along with an entry that comes (1) or goes (-1); undefined for the one that goes. */
const moved = (number: number, entry: number, by: 1 | -1): number | undefined =>
  by < 0 && number === entry ? undefined : number >= entry ? number + by : number;

function shifted(unfilled: Unfilled, path: Edit['path'], by: 1 | -1): string[] {
  const [, check, , expectation] = path;
  return [...unfilled].flatMap((pointer) => {
    const [ofCheck, ofExpectation] = numbersOf(pointer);
    if (path.length === 2) {
      const to = moved(ofCheck, Number(check), by);
      return to === undefined ? [] : [pointerOf(to, ofExpectation)];
    }
    if (path.length !== 4 || ofCheck !== Number(check)) return [pointer];
    const to = moved(ofExpectation, Number(expectation), by);
    return to === undefined ? [] : [pointerOf(ofCheck, to)];
  });
}

/** Those that wait after edits. What the edits of the author add without a text waits as well. */
export function afterEdits(
  unfilled: Unfilled,
  edits: readonly Edit[],
  isOwnEdit: boolean,
): Unfilled {
  let now = unfilled;
  for (const edit of edits) {
    const { path } = edit;
    const isList = path[0] === 'checks' && (path.length < 3 || path[2] === 'expect');
    if (!isList || path.length > 4) continue;
    const added = isOwnEdit && 'value' in edit ? emptyIn(path, edit.value) : [];
    if (edit.kind === 'insert') now = new Set([...shifted(now, path, 1), ...added]);
    else if (edit.kind === 'remove') now = new Set(shifted(now, path, -1));
    else if (edit.kind === 'set') {
      const above = `/${path.join('/')}/`;
      const rest = [...now].filter((pointer) => !`${pointer}/`.startsWith(above));
      // Of another kind, it waits on if it did.
      const known = now;
      const waits = path.length < 4 ? added : added.filter((pointer) => known.has(pointer));
      now = new Set([...rest, ...waits]);
    }
  }
  return now;
}

/** Those that were written down and still say nothing. */
export function readUnfilled(written: string | undefined, tree: JsonValue): Unfilled {
  const pointers = written === undefined ? [] : written.split('\n');
  const isOpen = (pointer: string) => {
    const [check, expectation] = numbersOf(pointer);
    return isEmpty(at(tree, ['checks', check, 'expect', expectation]) ?? null);
  };
  return new Set(pointers.filter(isOpen));
}

/** As they are written down; nothing where none waits. */
export const writtenUnfilled = (unfilled: Unfilled): string => [...unfilled].join('\n');
