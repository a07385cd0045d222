// What becomes of the texts of an item in use: printed, or left out with a reason of the core.
import type { Edit, EntrySplit, JsonValue, Step, UnprintedText } from '../ipc';
import { text } from '../text';
import { at } from './edit';

/** The texts of one item that are not printed, by field. */
export interface PrintStatus {
  /** A text or a whole list; undefined when it is printed, or some of its entries are. */
  of(field: string): UnprintedText | undefined;
  entry(field: string, entry: number): UnprintedText | undefined;
  fragment(fragment: number): UnprintedText | undefined;
}

export function printStatusOf(unprinted: readonly UnprintedText[]): PrintStatus {
  const whole = (field: string) =>
    unprinted.find(
      (one) => one.field === field && one.entry === undefined && one.fragment === undefined,
    );
  return {
    of: whole,
    entry: (field, entry) =>
      unprinted.find((one) => one.field === field && one.entry === entry) ?? whole(field),
    fragment: (fragment) =>
      unprinted.find((one) => one.field === 'fragments' && one.fragment === fragment) ??
      whole('fragments'),
  };
}

/** An entry of the assembly order to add. */
export interface Insertion {
  token: string;
  index: number;
}

/** Whether nothing prints the text, as no entry of any route does. */
export const isMissing = ({ reason }: UnprintedText): boolean => reason === 'not_in_assembly';

/** The entry that would print the text, where none of the order in use does. */
export const insertionOf = ({ token, index }: UnprintedText): Insertion | undefined =>
  token === undefined || index === undefined ? undefined : { token, index };

/** The edits that add entries to the assembly order at `path`. */
export function addToPrompt(tree: JsonValue, path: Step[], insertions: Insertion[]): Edit[] {
  const order = at(tree, path);
  if (!Array.isArray(order)) {
    return [{ kind: 'set', path, value: insertions.map(({ token }) => token) }];
  }
  // From the end, so that no insertion moves the place of the next one. Of two at one place the
  // first stays before the second.
  return insertions
    .toReversed()
    .toSorted((one, other) => other.index - one.index)
    .map(({ token, index }) => ({
      kind: 'insert',
      path: [...path, Math.min(index, order.length)],
      value: token,
    }));
}

/** The edits that put the entries of each split in the place of the entry that it splits. */
export function splitEntries(tree: JsonValue, splits: readonly EntrySplit[]): Edit[] {
  return splits.flatMap(({ route, index, tokens }): Edit[] => {
    const owner = route === null ? ['registry'] : ['registry', 'routes', route];
    const path = [...owner, 'assembly_order'];
    const [first, ...rest] = tokens;
    if (first === undefined || !Array.isArray(at(tree, path))) return [];
    return [
      { kind: 'set', path: [...path, index], value: first },
      ...rest.map((token, next): Edit => ({
        kind: 'insert',
        path: [...path, index + next + 1],
        value: token,
      })),
    ];
  });
}

/** The undo label of adding entries. */
export const addLabel = (insertions: Insertion[]): string =>
  insertions.length === 1
    ? text.problem.addToken(insertions[0]?.token ?? '')
    : text.addAllToPrompt(insertions.length);

/** Every entry that prints something no entry prints, each once. What another route prints is not missing. */
export function insertionsOf(unprinted: readonly UnprintedText[]): Insertion[] {
  const found = unprinted.filter(isMissing).flatMap((one) => insertionOf(one) ?? []);
  return found.filter(
    ({ token }, index) => found.findIndex((other) => other.token === token) === index,
  );
}

/** A text by its place: `personas.chatty.base_directives[1]`. */
export function unprintedName({ section, item, field, entry, fragment }: UnprintedText): string {
  if (field === 'scale') return `${section}.scale`;
  const index = entry ?? fragment;
  return `${section}.${item.name}.${field}${index === undefined ? '' : `[${index}]`}`;
}

/** Why a text is not printed, as its field says it. */
export function unprintedWords(unprinted: UnprintedText): string {
  const { field, words } = unprinted;
  if (!isMissing(unprinted)) return words;
  if (field === 'scale') return text.noEntryPrintsSlider;
  return field === 'fragments' ? text.noEntryPrintsFragments : text.noEntryPrints;
}

/** The button that adds the entry, with its name. */
export function addWords(unprinted: UnprintedText, token: string): { short: string; full: string } {
  return isMissing(unprinted)
    ? { short: text.addToPrompt, full: text.addToPromptNamed(token) }
    : { short: text.addToRoute, full: text.addToRouteNamed(token) };
}
