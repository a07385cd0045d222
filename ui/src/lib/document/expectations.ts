// The expectations of a check as the page edits them: what each says, and the edits that change it.
// Which kinds there are, and which checks accept them, is the core's to say.
import {
  CHECK_TOKENIZERS,
  EXPECTATION_KINDS,
  type CheckSubject,
  type ExpectationKind,
} from '../ipc/generated/check-kinds';
import type { Edit, JsonValue, Step } from '../ipc';
import { at, isObject, type JsonObject } from './edit';

/** The path of an expectation, of the list of them, or of a value in it. */
export const pathOf = (check: number, ...more: Step[]): Step[] => [
  'checks',
  check,
  'expect',
  ...more,
];

/** The expectations of a check; none where there is no list. */
export function expectationsOf(tree: JsonValue, check: number): JsonValue[] {
  const list = at(tree, pathOf(check));
  return Array.isArray(list) ? list : [];
}

/** The kind of an expectation; undefined where no key names one. */
export function kindOf(expectation: JsonValue | undefined): ExpectationKind | undefined {
  if (!isObject(expectation)) return undefined;
  return EXPECTATION_KINDS.find(({ key }) => (expectation[key] ?? null) !== null);
}

/** The kinds that checks of a subject accept. */
export const kindsFor = (subject: CheckSubject): ExpectationKind[] =>
  EXPECTATION_KINDS.filter(({ of }) => of.includes(subject));

/** Keys that say what is expected; all others are the author's own. */
const OWN: ReadonlySet<string> = new Set([
  ...EXPECTATION_KINDS.map(({ key }) => key),
  'tokenizer',
  'min',
  'max',
  'allow',
]);

/** An expectation of a kind, with the value of another as far as that fits. */
function madeOf(kind: ExpectationKind, before: JsonValue | undefined): JsonObject {
  const { key, form } = kind;
  const typed = typeof before === 'string' ? before : '';
  const number = typeof before === 'number' ? before : 1000;
  switch (form) {
    case 'tokens':
      return { [key]: number, tokenizer: CHECK_TOKENIZERS[0] ?? '' };
    case 'characters':
      return { [key]: number };
    case 'share':
      return { [key]: typed, min: 0, max: 1 };
    case 'flag':
    case 'problems':
      return { [key]: true };
    case 'reason':
      return { [key]: typed === '' ? true : typed };
    case 'golden':
      // What is there now is recorded by a review.
      return { [key]: '' };
    case 'text':
    case 'pattern':
    case 'target':
      return { [key]: typed };
  }
}

/** Gives an expectation another kind; keys of the author's own stay. */
export function changeKind(
  tree: JsonValue,
  check: number,
  index: number,
  to: ExpectationKind,
): Edit[] {
  const path = pathOf(check, index);
  const before = at(tree, path);
  const from = kindOf(before);
  const members = isObject(before) ? before : {};
  // A misspelled key names no kind; its value is what was meant.
  const value = from ? members[from.key] : Object.values(members)[0];
  const otherMembers = Object.entries(members).filter(
    ([key]) => from !== undefined && !OWN.has(key),
  );
  const made = madeOf(to, value);
  if (to.form === 'tokens' && typeof members.tokenizer === 'string')
    made.tokenizer = members.tokenizer;
  return [{ kind: 'set', path, value: { ...made, ...Object.fromEntries(otherMembers) } }];
}

/** Sets a member of an object, or takes it away. */
export function setMember(tree: JsonValue, path: Step[], value: JsonValue | undefined): Edit[] {
  if (value !== undefined) return [{ kind: 'set', path, value }];
  return at(tree, path) === undefined ? [] : [{ kind: 'remove', path }];
}

/** Adds an expectation at the end. */
export function addExpectation(tree: JsonValue, check: number, kind: ExpectationKind): Edit[] {
  const list = at(tree, pathOf(check));
  const value = madeOf(kind, undefined);
  if (!Array.isArray(list)) return [{ kind: 'set', path: pathOf(check), value: [value] }];
  return [{ kind: 'insert', path: pathOf(check, list.length), value }];
}

/** Takes an expectation away. */
export const removeExpectation = (check: number, index: number): Edit[] => [
  { kind: 'remove', path: pathOf(check, index) },
];

/** A share in percent, without the digits that binary fractions add. */
export const percentOf = (share: JsonValue | undefined): JsonValue | undefined =>
  typeof share === 'number' ? Number((share * 100).toPrecision(12)) : share;

/** A percentage as a share. */
export const shareOf = (percent: number): number => Number((percent / 100).toPrecision(12));
