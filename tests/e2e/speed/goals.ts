// The goals of `docs/performance.md` that are measured in the real window, each with its verdict.

/** A row of the table of goals. */
export interface Goal {
  measured: string;
  goal: string;
  verdict: 'met' | 'MISSED';
}

/** A figure against the largest that is good enough. */
export const atMost = (value: number, most: number, unit: string, digits = 0): Goal => ({
  measured: `${value.toFixed(digits)}${unit}`,
  goal: `at most ${String(most)}${unit}`,
  verdict: value <= most ? 'met' : 'MISSED',
});
