// A service that measures profiles from a table of rolls: what the page is given adds up, as from the
// real one.
import type { CoverageRow, Profile, ProfileParams, RollFilter, Variant } from '$lib/ipc';
import type { ProfileBackend } from '$lib/ipc/profile';

const row = (
  name: string,
  rolls: number,
  all: number,
  more: Partial<CoverageRow> & Pick<CoverageRow, 'kind'>,
): CoverageRow => ({
  item: 0,
  name,
  label: `Text of ${name}`,
  rolls,
  share: rolls / all,
  low: Math.max(0, rolls / all - 0.02),
  high: Math.min(1, rolls / all + 0.02),
  chance: null,
  absence: null,
  ...more,
});

/** Measures samples in which every fourth roll is calm and the lengths are 40, 41, 42 and 45. */
export class FakeProfiles {
  /** Holds back the samples above 2,000 rolls until it is called. */
  release: (() => void) | undefined;
  /** Whether templates are counted as they are rendered. */
  rendered: boolean | null = null;
  #stopped = false;

  readonly backend: ProfileBackend = {
    measureProfile: async (_document, params) => {
      if (params.rolls > 2000) {
        await new Promise<void>((resolve) => (this.release = resolve));
        if (this.#stopped) return this.profile({ ...params, rolls: 5000 }, false);
      }
      return this.profile(params);
    },
    profileProgress: async () => ({ done: 4000, rolls: 10_000, elapsed: 2000 }),
    stopProfile: async () => {
      this.#stopped = true;
      this.release?.();
    },
    profileRolls: async (_document, params, filter, from) => {
      const rolls = Array.from({ length: 8 }, (_, index) => this.#roll(params, index + from));
      const found = rolls.filter((roll) => this.#matches(roll, filter));
      return { rolls: found, next: from === 0 ? 8 : null };
    },
  };

  #roll(params: ProfileParams, index: number): Variant {
    return {
      seed: params.seed + index,
      text: `Roll ${String(index)}`,
      picks: [
        {
          section: 'personas',
          of: null,
          value: { text: index % 4 === 0 ? 'calm' : 'brisk', detail: 'rolled' },
        },
      ],
      tokens: [40, 41, 42, 45][index % 4] ?? 40,
    };
  }

  #matches(roll: Variant, filter: RollFilter): boolean {
    if (filter.by === 'tokens') return filter.from <= roll.tokens && roll.tokens <= filter.to;
    return filter.rows.every(({ item }) => (roll.picks[0]?.value.text === 'calm' ? 0 : 1) === item);
  }

  profile(params: ProfileParams, complete = true): Profile {
    const { seed, rolls, budget, pair } = params;
    const quarter = rolls / 4;
    const lengths = {
      min: 40,
      p5: 40,
      median: 41,
      p95: 45,
      max: 45,
      min_seed: seed,
      max_seed: seed + 3,
      bars: [40, 41, 42, 43, 44, 45].map((length) => ({
        from: length,
        to: length,
        rolls: [40, 41, 42, 45].includes(length) ? quarter : 0,
      })),
      over_budget:
        budget === null
          ? null
          : {
              budget,
              rolls: [40, 41, 42, 45].filter((length) => length > budget).length * quarter,
              share: [40, 41, 42, 45].filter((length) => length > budget).length / 4,
            },
    };
    const slot = { section: 'personas', slider: false };
    return {
      seed,
      rolls,
      complete,
      rendered: this.rendered,
      tokenizer: 'o200k_base',
      exact: true,
      tokens: lengths,
      characters: null,
      coverage: [
        {
          section: 'personas',
          items: 2,
          rolled: true,
          rows: [
            row('calm', quarter, rolls, { kind: { is: 'item' }, chance: 0.25 }),
            row('calm.context', quarter, rolls, { kind: { is: 'text', field: 'context' } }),
            row('calm.tips[0]', quarter / 2, rolls, {
              kind: { is: 'entry', field: 'tips', entry: 0 },
            }),
            row('brisk', rolls - quarter, rolls, { kind: { is: 'item' }, item: 1, chance: 0.75 }),
            ...Array.from({ length: 10 }, (_, index) =>
              row(`slider ${String(index + 1)}`, rolls / 10, rolls, {
                kind: { is: 'slider', value: index + 1 },
                item: null,
                chance: 0.1,
              }),
            ),
          ],
        },
        {
          section: 'notes',
          items: 2,
          rolled: false,
          rows: [
            row('short', 0, rolls, {
              kind: { is: 'item' },
              absence: { reason: 'never_selected', words: 'never selected' },
            }),
            row('short.text', 0, rolls, {
              kind: { is: 'text', field: 'text' },
              absence: { reason: 'never_selected', words: 'never selected' },
            }),
            row('long', 0, rolls, {
              kind: { is: 'item' },
              item: 1,
              absence: { reason: 'excluded', words: 'never with what is always chosen' },
            }),
          ],
        },
      ],
      pair: pair && {
        first: slot,
        second: { section: 'notes', slider: false },
        rows: ['calm', 'brisk'],
        columns: ['short', 'long'],
        rolls: [
          [quarter, 0],
          [rolls - quarter, 0],
        ],
        impossible: [
          { row: 0, column: 1, words: 'calm excludes long', section: 'personas', item: 0 },
        ],
      },
      prefix: {
        all: { tokens: 12, characters: 60, section: 'personas', field: 'context' },
        most: { tokens: 12, characters: 60, section: 'personas', field: 'context' },
        half: { tokens: 30, characters: 150, section: 'personas', field: 'tips' },
        curve: [
          { tokens: 12, share: 1 },
          { tokens: 30, share: 0.75 },
          // Some letters more, in as many tokens.
          { tokens: 30, share: 0.5 },
          { tokens: 41, share: 0.1 },
        ],
        sections: [
          { section: 'notes', tokens: 12 },
          { section: 'personas', tokens: 12 },
          { section: 'personas', tokens: 12 },
          { section: 'personas', tokens: 41 },
        ],
      },
      texts: { count: 24, exact: true },
      evaluations: { count: 24, exact: true },
      same_text: 0,
      empty: 0,
      conflicts: [],
    };
  }
}
