// Matching typed letters against names: all letters in order, runs and word beginnings count more.

/** A match: how good it is, and which stretches of the name it used. */
export interface Match {
  score: number;
  /** Pairs of start and end, in order. */
  marks: [number, number][];
}

/** The score of letters that occur in a name as typed. */
const WHOLE = 100;

/** Matches letters against a name, or undefined when they are not all in it, in order. */
export function fuzzyMatch(name: string, letters: string): Match | undefined {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return { score: 0, marks: [] };
  const lower = name.toLowerCase();
  const whole = lower.indexOf(wanted);
  if (whole >= 0) {
    const atWord = whole === 0 || !/[a-z0-9]/.test(lower[whole - 1] ?? '');
    return {
      score: WHOLE + (atWord ? 50 : 0) - Math.min(whole, WHOLE / 2),
      marks: [[whole, whole + wanted.length]],
    };
  }
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
  return { score: Math.min(score, 40), marks };
}

/**
 * What is worth matching: the names that hold the letters as they were typed, when there are any,
 * since `rankGroups` would leave out the others. Looking for a word is quick, and a large deck has tens
 * of thousands of names.
 */
export function matchCandidates<T extends { lower: string }>(named: T[], letters: string): T[] {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return named;
  const containing = named.filter(({ lower }) => lower.includes(wanted));
  return containing.length > 0 ? containing : named;
}

/**
 * Groups of matches, the one with the best match first. Names that only hold the letters here and
 * there are left out when others hold them as they were typed.
 */
export function rankGroups<T extends { hit: Match }, G extends { rows: T[] }>(groups: G[]): G[] {
  const top = ({ rows }: G) => Math.max(...rows.map(({ hit }) => hit.score));
  const typed = ({ hit }: T) => hit.score >= WHOLE / 2;
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
