// Pure operations on a file of checks: what its entries say, and the edits that change them.
import type { CheckFailure, CheckVerdict, Edit, JsonValue, Part } from '../ipc';
import { at, isObject, type JsonObject } from './edit';
import { kindOf } from './expectations';

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
      kinds: expect.flatMap((one) => kindOf(one)?.key ?? []),
      isAnswer: typeof check.answer === 'string',
      rolls: numberOf(given.rolls),
      seed: numberOf(given.seed),
      route: textOf(given.route),
    };
  });
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
    const text = (lines: string[]): SidePiece[] =>
      lines.length === 0 ? [] : [{ kind: 'same', text: lines.join('\n') }];
    const rest = lines.slice(0, head);
    return [
      ...text(rest),
      { kind: 'gap', lines: hidden },
      ...text(lines.slice(lines.length - tail || lines.length)),
    ];
  });
}
