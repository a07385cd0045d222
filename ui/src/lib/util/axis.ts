// The ticks of an axis: round numbers, few enough to be read.

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
