// Matching typed letters against names: all letters in order, runs and word beginnings count more.

/** A match: how good it is, and which stretches of the name it used. */
export interface Match {
  score: number;
  /** Pairs of start and end, in order. */
  marks: [number, number][];
}

/** Matches letters against a name, or undefined when they are not all in it, in order. */
export function match(name: string, letters: string): Match | undefined {
  const wanted = letters.trim().toLowerCase();
  if (wanted === '') return { score: 0, marks: [] };
  const lower = name.toLowerCase();
  const whole = lower.indexOf(wanted);
  if (whole >= 0) {
    const atWord = whole === 0 || !/[a-z0-9]/.test(lower[whole - 1] ?? '');
    return { score: 100 + (atWord ? 50 : 0) - whole, marks: [[whole, whole + wanted.length]] };
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

/** A name cut into stretches, marked or not. */
export function stretches(
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
