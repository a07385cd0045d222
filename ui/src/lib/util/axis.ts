// The ticks of an axis: round numbers, few enough to be read; and the labels of its marks.

/** Round numbers within a range, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10, 1) * power;
  const whole = Math.max(step, 1);
  const first = Math.ceil(low / whole) * whole;
  return Array.from({ length: Math.floor((high - first) / whole) + 1 }, (_, at) =>
    Math.round(first + at * whole),
  );
}

/** A label beside a vertical mark of an axis. */
export interface MarkLabel {
  at: number;
  length: number;
  /** The side of the mark that it is on, if there is room. */
  before: boolean;
}

/** Where a label is placed: in one of the lines of labels, before its mark or after it. */
export interface LabelPlace {
  line: number;
  before: boolean;
}

/**
 * Places the labels of marks in some lines. A mark is drawn from the line of its label downwards. Each
 * label takes the first place where it covers neither another label nor a mark, and its mark crosses no
 * label; the rest have none.
 */
export function placeLabels(
  marks: readonly MarkLabel[],
  most: number,
  width: number,
): (LabelPlace | undefined)[] {
  const taken: { line: number; from: number; to: number; at: number }[] = [];
  return marks.map(({ at, length, before: preferred }) => {
    for (const before of [preferred, !preferred]) {
      const [from, to] = before ? [at - length, at] : [at, at + length];
      if (before !== preferred && (from < 0 || to > width)) continue;
      for (let line = 0; line < most; line += 1) {
        const isFree = taken.every(
          (other) =>
            (other.line !== line || to < other.from || from > other.to) &&
            (other.line > line || other.at < from || other.at > to) &&
            (other.line < line || at < other.from || at > other.to),
        );
        if (!isFree) continue;
        taken.push({ line, from, to, at });
        return { line, before };
      }
    }
    return undefined;
  });
}

/** Labels of an axis, each in the first of some lines in which it overlaps no other; the rest have none. */
export function lines(spans: { from: number; to: number }[], most: number): (number | undefined)[] {
  const taken: { from: number; to: number }[][] = Array.from({ length: most }, () => []);
  return spans.map((span) => {
    const line = taken.findIndex((others) =>
      others.every(({ from, to }) => span.to < from || span.from > to),
    );
    taken[line]?.push(span);
    return line < 0 ? undefined : line;
  });
}
