// Pure operations on a file of checks: what its entries say, and the edits that change them.
import type { CheckFailure, CheckVerdict, Edit, JsonValue, Part } from '../ipc';
import { at, isObject, type JsonObject } from './edit';

/** The kinds of expectations that the form offers, in the order of its list. */
export const KINDS = [
  'contains',
  'not_contains',
  'matches',
  'not_matches',
  'starts_with',
  'ends_with',
  'max_tokens',
  'min_tokens',
  'max_characters',
  'text',
  'renders',
  'never_renders',
  'share',
  'stable_prefix_tokens',
  'no_problems',
  'accepted',
  'rejected',
  'cleaned',
] as const;
export type Kind = (typeof KINDS)[number];

/** What an expectation needs besides its kind. */
export const NEEDS: Record<Kind, 'text' | 'tokens' | 'number' | 'share' | 'nothing'> = {
  contains: 'text',
  not_contains: 'text',
  matches: 'text',
  not_matches: 'text',
  starts_with: 'text',
  ends_with: 'text',
  max_tokens: 'tokens',
  min_tokens: 'tokens',
  max_characters: 'number',
  text: 'text',
  renders: 'text',
  never_renders: 'text',
  share: 'share',
  stable_prefix_tokens: 'tokens',
  no_problems: 'nothing',
  accepted: 'nothing',
  rejected: 'text',
  cleaned: 'text',
};

/** The kinds that are about an answer alone. */
export const OF_ANSWERS: ReadonlySet<Kind> = new Set(['accepted', 'rejected', 'cleaned']);

/** An expectation as the form holds it: all of its values as they are typed. */
export interface ExpectationFields {
  kind: Kind;
  value: string;
  tokenizer: string;
  /** The least and the largest share, in percent. */
  min: string;
  max: string;
}

/** One entry of the list, as the page lists it. */
export interface CheckEntry {
  index: number;
  name: string;
  /** The keys of its expectations. */
  kinds: string[];
  isAnswer: boolean;
  rolls: number | null;
  seed: number | null;
  route: string | null;
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** The entries of a file, also those that cannot run. */
export function entriesOf(tree: JsonValue): CheckEntry[] {
  const list = at(tree, ['checks']);
  if (!Array.isArray(list)) return [];
  return list.map((entry, index) => {
    const check: JsonObject = isObject(entry) ? entry : {};
    const given: JsonObject = isObject(check.given) ? check.given : {};
    const expect = Array.isArray(check.expect) ? check.expect : [];
    const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : null);
    return {
      index,
      name: textOf(check.name) ?? `check ${index + 1}`,
      kinds: expect.flatMap((one) => kindOf(one) ?? []),
      isAnswer: typeof check.answer === 'string',
      rolls: numberOf(given.rolls),
      seed: numberOf(given.seed),
      route: textOf(given.route),
    };
  });
}

/** The kind of an expectation. */
export function kindOf(expectation: JsonValue | undefined): Kind | undefined {
  if (!isObject(expectation)) return undefined;
  return KINDS.find((kind) => expectation[kind] !== undefined && expectation[kind] !== null);
}

/** An expectation in the fields of the form. */
export function fieldsOf(expectation: JsonValue | undefined): ExpectationFields | undefined {
  const kind = kindOf(expectation);
  if (!kind || !isObject(expectation)) return undefined;
  const shown = (value: JsonValue | undefined) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const percent = (value: JsonValue | undefined) =>
    typeof value === 'number' ? String(Number((value * 100).toPrecision(12))) : '';
  return {
    kind,
    value: shown(expectation[kind]),
    tokenizer: textOf(expectation.tokenizer) ?? 'o200k_base',
    min: percent(expectation.min),
    max: percent(expectation.max),
  };
}

const whole = (typed: string): number | undefined =>
  /^\d{1,15}$/.test(typed.trim()) ? Number(typed) : undefined;

const share = (typed: string): number | undefined => {
  const number = Number(typed.trim());
  const isShare = typed.trim() !== '' && number >= 0 && number <= 100;
  return isShare ? Number((number / 100).toPrecision(12)) : undefined;
};

/** The expectation that the fields say; undefined while something is missing. */
export function expectationOf(fields: ExpectationFields): JsonObject | undefined {
  const { kind, value, tokenizer } = fields;
  switch (NEEDS[kind]) {
    case 'nothing':
      return { [kind]: true };
    case 'text':
      if (kind === 'rejected' && value === '') return { rejected: true };
      return value === '' ? undefined : { [kind]: value };
    case 'number': {
      const number = whole(value);
      return number === undefined ? undefined : { [kind]: number };
    }
    case 'tokens': {
      const tokens = whole(value);
      return tokens === undefined ? undefined : { [kind]: tokens, tokenizer };
    }
    case 'share': {
      const [min, max] = [share(fields.min), share(fields.max)];
      if (value === '' || (min === undefined && max === undefined)) return undefined;
      if (min !== undefined && max !== undefined && min > max) return undefined;
      return {
        share: value,
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      };
    }
  }
}

/** Adds a check at the end of the list. */
export function addCheck(tree: JsonValue, check: JsonObject): Edit[] {
  const path = ['checks', entriesOf(tree).length];
  return [{ kind: 'insert', path, value: check }];
}

/** Gives a check another name. */
export function renameCheck(index: number, name: string): Edit[] {
  return [{ kind: 'set', path: ['checks', index, 'name'], value: name }];
}

/** Takes a check out of the list. */
export function removeCheck(index: number): Edit[] {
  return [{ kind: 'remove', path: ['checks', index] }];
}

/** Replaces the values of an expectation; keys that belong to none of them stay. */
export function changeExpectation(
  tree: JsonValue,
  check: number,
  index: number,
  to: JsonObject,
): Edit[] {
  const path = ['checks', check, 'expect', index];
  const before = at(tree, path);
  const own: ReadonlySet<string> = new Set([...KINDS, 'tokenizer', 'min', 'max', 'allow']);
  const kept = isObject(before)
    ? Object.entries(before).filter(
        ([key]) => !own.has(key) || (key === 'allow' && 'no_problems' in to),
      )
    : [];
  return [{ kind: 'set', path, value: { ...to, ...Object.fromEntries(kept) } }];
}

/** The steps of a JSON pointer. */
export function stepsOf(pointer: string, tree: JsonValue): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const raw of pointer.split('/').slice(1)) {
    const step = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(at(tree, steps)) ? Number(step) : step);
  }
  return steps;
}

/** A golden text that the present prompt differs from. */
export interface Golden {
  check: number;
  name: string;
  seed: number | null;
  pointer: string;
  new: string;
  parts: Part[];
}

/** The golden texts of a verdict that differ. */
export function goldensOf(verdict: CheckVerdict): Golden[] {
  return verdict.failures.flatMap(({ golden, seed }: CheckFailure) =>
    golden ? [{ check: verdict.index, name: verdict.name, seed, ...golden }] : [],
  );
}

/** Puts new texts in the place of golden ones. */
export function acceptGoldens(tree: JsonValue, goldens: readonly Golden[]): Edit[] {
  return goldens.map((golden) => ({
    kind: 'set',
    path: stepsOf(golden.pointer, tree),
    value: golden.new,
  }));
}

/** A stretch of one side of a word diff, or lines of it that are the same and not shown. */
export type SidePiece = { kind: Part['kind']; text: string } | { kind: 'gap'; lines: number };

/** How many lines that are the same are shown beside a change. */
const BESIDE = 2;

/** One side of a word diff; `all` says whether what is the same is shown as a whole. */
export function sideOf(parts: readonly Part[], side: 'old' | 'new', all: boolean): SidePiece[] {
  const gone = side === 'old' ? 'added' : 'removed';
  return parts.flatMap((part, index): SidePiece[] => {
    if (part.kind === gone) return [];
    if (part.kind !== 'same' || all) return [part];
    const lines = part.text.split('\n');
    const head = index === 0 ? 0 : BESIDE;
    const tail = index === parts.length - 1 ? 0 : BESIDE;
    const hidden = lines.length - head - tail;
    // A gap of a line saves none.
    if (hidden < 2) return [part];
    const text = (shown: string[]): SidePiece[] =>
      shown.length === 0 ? [] : [{ kind: 'same', text: shown.join('\n') }];
    const rest = lines.slice(0, head);
    return [
      ...text(rest),
      { kind: 'gap', lines: hidden },
      ...text(lines.slice(lines.length - tail || lines.length)),
    ];
  });
}
