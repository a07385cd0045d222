// A service that compares versions by a table: a fifth of the rolls changes, and what the page is given
// adds up, as from the real one.
import type { Change, Edit, Impact, ImpactParams, SampledRolls, SampleParams } from '$lib/ipc';
import type { ImpactBackend } from '$lib/ipc/impact';

export class FakeImpacts {
  /** Whether the document differs from its file. */
  edited = false;
  /** The share of rolls that change. */
  share = 0.2;
  /** The route that is rolled, where there are others. */
  route: string | null = null;
  /** Holds back the comparisons above 2,000 rolls until it is called. */
  release: (() => void) | undefined;
  #stopped = false;

  backend(change: (edits: Edit[]) => Change): ImpactBackend {
    return {
      editImpact: async () =>
        this.edited
          ? {
              route: this.route,
              rolls: 2000,
              changed: 2000 * this.share,
              share: this.share,
              tokens: this.share > 0 ? 4 : null,
            }
          : null,
      measureImpact: async (_document, params) => {
        if (params.rolls > 2000) {
          await new Promise<void>((resolve) => (this.release = resolve));
          if (this.#stopped) return this.impact({ ...params, rolls: 5000 }, false);
        }
        return this.impact(params);
      },
      impactProgress: async () => ({ done: 4000, rolls: 10_000, elapsed: 2000 }),
      stopImpact: async () => {
        this.#stopped = true;
        this.release?.();
      },
      compareRoll: async (_document, _left, _right, seed) => ({
        left: { name: 'Saved', characters: 10, tokens: null, problem: null },
        right: { name: 'Now', characters: 12, tokens: null, problem: null },
        settings: [],
        compared: 0,
        edited: [],
        prompt: [
          { kind: 'same', text: 'Far above.\nAbove.\nOne ', section: 'guides' },
          { kind: 'removed', text: `old ${String(seed)}`, section: 'guides' },
          { kind: 'added', text: `new ${String(seed)}`, section: 'guides' },
          { kind: 'same', text: ' word.\nBelow.\nFar below.', section: 'guides' },
        ],
        added: 1,
        removed: 1,
      }),
      snapshotImpact: async () => ({
        snapshots: 3,
        same: 1,
        changed: 1,
        broken: 1,
        damaged: 0,
        listed: [
          {
            id: 2,
            name: 'Dry and mean',
            problem: null,
            before: 40,
            after: 47,
            parts: [
              { kind: 'same', text: 'One ' },
              { kind: 'added', text: 'more' },
            ],
          },
          {
            id: 1,
            name: 'Round 3',
            problem: '"guides" has no item "calm"',
            before: 40,
            after: null,
            parts: [],
          },
        ],
      }),
      sampleRolls: async (_document, params) => this.#sample(params),
      useSampled: async (_document, params) =>
        change([
          { kind: 'set', path: ['state', 'selections', 'guides'], value: 'brisk' },
          { kind: 'set', path: ['seed'], value: params.seed + params.from },
        ]),
    };
  }

  #sample({ mode, seed, rolls }: SampleParams): SampledRolls {
    const all = mode === 'pairwise' ? 4 : rolls;
    return {
      rolls: Array.from({ length: Math.min(all, rolls) }, (_, index) => ({
        index,
        seed: mode === 'exhaustive' ? null : seed + index,
        text: `${mode} ${String(index)}`,
        picks: [
          {
            section: 'guides',
            of: null,
            value: { text: `${mode} ${String(index)}`, detail: 'sampled' },
          },
        ],
        tokens: 40 + index,
        usable: mode !== 'exhaustive',
      })),
      total: { random: null, shuffle: null, pairwise: '4', exhaustive: '1' + '0'.repeat(30) }[mode],
      exact: true,
      pairs: mode === 'pairwise' ? 12 : null,
      impossible: mode === 'pairwise' ? 2 : 0,
    };
  }

  impact({ seed, rolls, budget }: ImpactParams, complete = true): Impact {
    const changed = rolls * this.share;
    const some = changed > 0;
    return {
      route: this.route,
      seed,
      rolls,
      complete,
      elapsed: 61,
      tokenizer: 'o200k_base',
      exact: true,
      identical: rolls - changed,
      changed,
      share: this.share,
      sections: some
        ? [
            {
              section: 'guides',
              rolls: changed,
              share: this.share,
              fields: [{ field: 'tips', rolls: changed, share: this.share }],
            },
          ]
        : [],
      order_only: 0,
      tokens: some
        ? {
            min: -1,
            p5: -1,
            median: 4,
            p95: 7,
            max: 7,
            bars: [
              { from: -1, to: -1, rolls: changed / 2 },
              ...[0, 1, 2, 3].map((at) => ({ from: at, to: at, rolls: 0 })),
              { from: 4, to: 4, rolls: changed / 2 },
            ],
          }
        : null,
      budget:
        budget === null ? null : { budget, above: 2, above_seed: seed, below: 0, below_seed: null },
      added: [],
      removed: [
        {
          code: 'unused_item',
          severity: 'note',
          message: 'Item tie_breaks is never reached',
          pointer: '/guides',
          also: [],
          data: {},
          line: null,
          column: null,
        },
      ],
      before: { name: 'deck.json', prefix: 54, empty: 0, conflicts: 0 },
      after: { name: 'Now', prefix: 50, empty: 0, conflicts: 3 },
      different_changes: { count: some ? 2 : 0, exact: true },
      changes: some
        ? [
            { seed: seed + 5, rolls: changed / 2, size: 30, before: 40, after: 44 },
            { seed: seed + 2, rolls: changed / 2, size: 12, before: 41, after: 40 },
          ].map((change) => ({
            ...change,
            places: [{ section: 'guides', field: 'tips' }],
            picks: [{ section: 'guides', of: null, value: { text: 'calm', detail: 'calm' } }],
          }))
        : [],
    };
  }
}
