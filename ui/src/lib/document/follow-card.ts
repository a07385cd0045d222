// Moving a card reorders the deck, not the prompt: finds the entries of the assembly that would have to
// move for the text to follow.
import type { Edit, JsonValue } from '../ipc';
import { WELL_KNOWN_SECTIONS } from '../ipc/generated/constants';
import { assemblyOf, canonicalOrder, registryOf } from './registry';
import { text } from '../text';
import { sectionOfToken } from './token';

/** A card that was moved, and which way. */
export interface MovedCard {
  name: string;
  up: boolean;
  /** The well-known section that the file keeps in its place, if the move changes this window alone. */
  inPlace?: string | undefined;
}

/**
 * The well-known section because of which the file does not follow a move of cards: the one moved, or
 * the first one it passes. Undefined where the file has the new order.
 */
export function keptInPlace(
  before: readonly string[],
  after: readonly string[],
  name: string,
): string | undefined {
  const same = (a: readonly string[], b: readonly string[]) =>
    a.every((each, at) => each === b[at]);
  const file = canonicalOrder([...after]);
  if (!same(file, canonicalOrder([...before])) || same(file, after)) return undefined;
  const [low, high] = [before.indexOf(name), after.indexOf(name)].toSorted((a, b) => a - b);
  const passed = [name, ...after.slice(low, (high ?? 0) + 1)];
  return passed.find((each) => WELL_KNOWN_SECTIONS.includes(each));
}

/** What would move the text of a card to where the card is. */
export interface EntriesBehind {
  edits: Edit[];
  /** The entries that would move: the section's first ones that stand together. */
  entries: string[];
  /** The section of the next card, which the prompt still prints on the other side. */
  beside: string;
}

/** The entries of a moved card that stand on the other side of its neighbour; none if they agree. */
export function entriesBehind(
  tree: JsonValue,
  cards: readonly string[],
  { name, up }: MovedCard,
): EntriesBehind | undefined {
  const { path, tokens } = assemblyOf(tree);
  const registry = registryOf(tree);
  const sections = tokens.map((token) => sectionOfToken(registry, token));
  const at = cards.indexOf(name);
  const passed = up ? cards.slice(at + 1) : cards.slice(0, Math.max(at, 0)).toReversed();
  const beside = passed.find((card) => sections.includes(card));
  const start = sections.indexOf(name);
  if (beside === undefined || start < 0) return undefined;
  const anchor = sections.indexOf(beside);
  if (up ? start < anchor : start > anchor) return undefined;
  const entries = tokens.slice(start, endOfRun(sections, start) + 1);
  const to = up ? anchor : endOfRun(sections, anchor);
  const edits = entries.map((_, index): Edit =>
    up
      ? { kind: 'move', path, from: start + index, to: to + index }
      : { kind: 'move', path, from: start, to },
  );
  return { edits, entries, beside };
}

/** The last index at which the section of `start` goes on without a gap. */
function endOfRun(sections: readonly (string | undefined)[], start: number): number {
  const end = sections.findIndex((each, index) => index > start && each !== sections[start]);
  return (end < 0 ? sections.length : end) - 1;
}

/** What did not follow a moved card, in words; empty if all did. */
export function movedWords(moved: MovedCard, behind: EntriesBehind | undefined): string {
  const words = behind ? [text.promptKeepsOrder(moved.name, behind.beside, moved.up)] : [];
  if (moved.inPlace !== undefined) words.push(text.fileKeepsOrder(moved.inPlace));
  return words.join(' ');
}
