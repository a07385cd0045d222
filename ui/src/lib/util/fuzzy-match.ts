// Matching typed letters against names: all letters in order, runs and word beginnings count more.

/** A match: how good it is, and which stretches of the name it used. */
export interface Match {
  score: number;
  /** Pairs of start and end, in order. */
  marks: [number, number][];
}

/**
 * What kinds of matches score: a kind is always better than the next. Within one, an earlier match is
 * better, by less than a hundred.
 */
const EXACT = 900;
const PREFIX = 800;
const WHOLE_WORD = 700;
const WORD_PREFIX = 600;
/** Every word that was typed begins a word of the name, in any order. */
const WORDS = 500;
const INSIDE = 400;
/** Letters that are in the name here and there score at most this. */
const SCATTERED = 40;

const isWordEnd = (character: string | undefined): boolean =>
  character === undefined || !/[\p{L}\p{N}]/u.test(character);

/** Where a word of the name begins with these letters; the whole word rather than its beginning. */
function wordAt(lower: string, wanted: string): { at: number; whole: boolean } | undefined {
  let found: { at: number; whole: boolean } | undefined;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (!isWordEnd(lower[at - 1])) continue;
    if (isWordEnd(lower[at + wanted.length])) return { at, whole: true };
    found ??= { at, whole: false };
  }
  return found;
}

const early = (kind: number, at: number): number => kind - Math.min(at, 99);

/** The letters as they were typed, somewhere in the name. */
function typedMatch(lower: string, wanted: string): Match | undefined {
  const match = (score: number, at: number): Match => ({
    score,
    marks: [[at, at + wanted.length]],
  });
  if (lower === wanted) return match(EXACT, 0);
  if (lower.startsWith(wanted)) return match(PREFIX, 0);
  const word = wordAt(lower, wanted);
  if (word) return match(early(word.whole ? WHOLE_WORD : WORD_PREFIX, word.at), word.at);
  const inside = lower.indexOf(wanted);
  return inside < 0 ? undefined : match(early(INSIDE, inside), inside);
}

/** The typed words, each at the beginning of a word. */
function wordsMatch(lower: string, wanted: string): Match | undefined {
  const words = wanted.split(/\s+/);
  if (words.length < 2) return undefined;
  const marks: [number, number][] = [];
  for (const word of words) {
    const found = wordAt(lower, word);
    if (!found) return undefined;
    marks.push([found.at, found.at + word.length]);
  }
  marks.sort((a, b) => a[0] - b[0]);
  const apart = marks.every(([start], index) => start >= (marks[index - 1]?.[1] ?? 0));
  return apart ? { score: early(WORDS, marks[0]?.[0] ?? 0), marks } : undefined;
}

/** Matches letters against a name, or undefined when they are not all in it, in order. */
export function fuzzyMatch(name: string, letters: string): Match | undefined {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return { score: 0, marks: [] };
  const lower = name.toLowerCase();
  const typed = typedMatch(lower, wanted) ?? wordsMatch(lower, wanted);
  if (typed) return typed;
  const marks: [number, number][] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    if (letter === ' ') continue;
    const at = lower.indexOf(letter, from);
    if (at < 0) return undefined;
    const last = marks.at(-1);
    if (last && last[1] === at) {
      last[1] = at + 1;
      score += 3;
    } else marks.push([at, at + 1]);
    score -= at - from;
    from = at + 1;
  }
  return { score: Math.min(score, SCATTERED), marks };
}

/** The first of other words for a name that holds the letters as they were typed. */
export function otherWord(words: readonly string[], letters: string): string | undefined {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return undefined;
  return words.find((word) => word.toLowerCase().includes(wanted));
}

/** A match of another word for a name: after the names that hold the letters themselves. */
export const OTHER_WORD: Match = { score: SCATTERED + 2, marks: [] };

/** Whether the letters are in the name as words, and not here and there. */
export const isTyped = ({ score }: Match): boolean => score > SCATTERED;

/**
 * The match of a command that takes something away: the best of its kind only for one who begins to
 * type its words. Otherwise whatever else holds the letters as words comes before it, and of those
 * that hold them here and there it is the last.
 */
export function destructiveMatch(match: Match): Match {
  if (match.score >= PREFIX) return match;
  const worst = isTyped(match) ? SCATTERED + 1 : -1000;
  return { ...match, score: worst + match.score / 1000 };
}

/**
 * What is worth matching: the names that hold the words as they were typed, when there are any, since
 * `rankGroups` leaves out letters here and there then. Looking for a word is quick, and a large deck
 * has tens of thousands of names.
 */
export function matchCandidates<T extends { lower: string }>(named: T[], letters: string): T[] {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return named;
  const containing = named.filter(
    ({ lower }) => lower.includes(wanted) || wordsMatch(lower, wanted) !== undefined,
  );
  return containing.length > 0 ? containing : named;
}

/**
 * Groups of matches, the one with the best match first. Names that only hold the letters here and
 * there are left out when others hold them as they were typed.
 */
export function rankGroups<T extends { hit: Match }, G extends { rows: T[] }>(groups: G[]): G[] {
  const top = ({ rows }: G) => Math.max(...rows.map(({ hit }) => hit.score));
  const typed = ({ hit }: T) => isTyped(hit);
  const some = groups.some(({ rows }) => rows.some(typed));
  return groups
    .map((group) => (some ? { ...group, rows: group.rows.filter(typed) } : group))
    .filter(({ rows }) => rows.length > 0)
    .toSorted((a, b) => top(b) - top(a));
}

/** A name cut into stretches, marked or not. */
export function markedParts(
  name: string,
  marks: [number, number][],
): { text: string; on: boolean }[] {
  const cut: { text: string; on: boolean }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start > at) cut.push({ text: name.slice(at, start), on: false });
    cut.push({ text: name.slice(start, end), on: true });
    at = end;
  }
  if (at < name.length) cut.push({ text: name.slice(at), on: false });
  return cut;
}
