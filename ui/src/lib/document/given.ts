// What a check is about: one roll, several rolls, or an answer; and the state, route and variables of
// its rolls.
import type { CheckSubject } from '../ipc/generated/check-kinds';
import type { Edit, JsonValue } from '../ipc';
import { at, isObject, type JsonObject } from './edit';
import { setMember } from './expectations';
import { readJson } from '../util/json-text';
import { sectionNames, sectionOf, templateVars } from './registry';

/** What a check says of its rolls. */
export interface CheckGiven {
  /** What the form edits: a check with a number of rolls has a field for it, also while that is 1. */
  form: CheckSubject;
  /** What the reader takes it for. */
  subject: CheckSubject;
  answer: string;
  seed: JsonValue | undefined;
  rolls: JsonValue | undefined;
  route: string | null;
  state: JsonValue | undefined;
  variables: [name: string, text: JsonValue][];
}

export const givenPath = (check: number, ...more: string[]): (string | number)[] => [
  'checks',
  check,
  'given',
  ...more,
];

const present = (value: JsonValue | undefined): JsonValue | undefined => value ?? undefined;

export function givenOf(tree: JsonValue, check: number): CheckGiven {
  const checkValue = at(tree, ['checks', check]);
  const members: JsonObject = isObject(checkValue) ? checkValue : {};
  const given: JsonObject = isObject(members.given) ? members.given : {};
  const rolls = present(given.rolls);
  const isAnswer = present(members.answer) !== undefined;
  const several = typeof rolls === 'number' && rolls > 1;
  return {
    form: isAnswer ? 'answer' : rolls === undefined ? 'prompt' : 'rolls',
    subject: isAnswer ? 'answer' : several ? 'rolls' : 'prompt',
    answer: typeof members.answer === 'string' ? members.answer : '',
    seed: present(given.seed),
    rolls,
    route: typeof given.route === 'string' ? given.route : null,
    state: present(given.state),
    variables: isObject(given.variables) ? Object.entries(given.variables) : [],
  };
}

/** How many rolls a check begins with. */
const ROLLS = 200;

/** Makes a check one of a roll, of several rolls or of an answer. */
export function changeForm(tree: JsonValue, check: number, to: CheckSubject): Edit[] {
  const { form, route } = givenOf(tree, check);
  if (form === to) return [];
  if (to === 'answer') {
    // Only the route selects a policy.
    return [
      { kind: 'set', path: ['checks', check, 'answer'], value: '' },
      ...setMember(tree, givenPath(check), route === null ? undefined : { route }),
    ];
  }
  const rolls = to === 'rolls' ? ROLLS : undefined;
  return [
    ...setMember(tree, ['checks', check, 'answer'], undefined),
    ...setMember(tree, givenPath(check, 'rolls'), rolls),
  ];
}

/** A state without its empty tables; undefined if nothing is left. */
export function filledTables(state: JsonObject): JsonObject | undefined {
  const tables = Object.entries(state).filter(
    ([, table]) => isObject(table) && Object.keys(table).length > 0,
  );
  return tables.length === 0 ? undefined : Object.fromEntries(tables);
}

/** Takes over a state and a route. */
export function takeState(
  tree: JsonValue,
  check: number,
  state: JsonObject,
  route: string | null,
): Edit[] {
  return [
    ...setMember(tree, givenPath(check, 'state'), filledTables(state)),
    ...setMember(tree, givenPath(check, 'route'), route ?? undefined),
  ];
}

/** What a typed state is: a state alone, or with its route and seed as snapshots and calls write it. */
export interface ReadState {
  /** None if nothing is typed. */
  state: JsonObject | undefined;
  route?: JsonValue | undefined;
  seed?: JsonValue | undefined;
}

/** Reads a typed state; undefined while it is not the JSON of an object. */
export function readState(typed: string): ReadState | undefined {
  if (typed.trim() === '') return { state: undefined };
  const read = readJson(typed);
  if ('fault' in read) return undefined;
  const value = read.value as JsonValue;
  if (!isObject(value)) return undefined;
  if (!isObject(value.state)) return { state: value };
  return { state: value.state, route: present(value.route), seed: present(value.seed) };
}

/** The edits that set the route and the seed that were typed with a state. */
export function setWithState(tree: JsonValue, check: number, typed: string): Edit[] {
  const read = readState(typed);
  return (['route', 'seed'] as const).flatMap((key) => {
    const memberValue = read?.[key];
    return memberValue === undefined ? [] : setMember(tree, givenPath(check, key), memberValue);
  });
}

/** The number of entries of each table of a state. */
export function tableSizes(state: JsonValue | undefined): [table: string, entries: number][] {
  if (!isObject(state)) return [];
  return Object.entries(state).map(([table, entries]) => [
    table,
    isObject(entries) ? Object.keys(entries).length : 1,
  ]);
}

/** The variables that sections declare, as checks name them. */
export const declaredVariables = (registry: JsonObject): string[] =>
  sectionNames(registry).flatMap((name) => {
    const section = sectionOf(registry, name);
    return section ? templateVars(section).map((variable) => `${name}::${variable}`) : [];
  });

/** A check to begin with: rolls of the present state that wait for what they contain. */
export function newCheck(
  name: string,
  { state, route, seed }: { state: JsonObject; route: string | null; seed: number },
): JsonObject {
  const tables = filledTables(state);
  return {
    name,
    given: {
      rolls: ROLLS,
      ...(tables ? { state: tables } : {}),
      ...(route === null ? {} : { route }),
      seed,
    },
    expect: [{ contains: '' }],
  };
}
