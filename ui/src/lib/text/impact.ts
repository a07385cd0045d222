// The words of the impact: what an edit changes in the rolls.
import type { BudgetCrossing, EditImpact, Impact, SnapshotImpact } from '../ipc';
import { formatNumber, plural } from './number-format';
import { profile } from './profile';

const { percent } = profile;

/** A share without decimals, or with one below 10 %. */
const roughly = (share: number): string =>
  share >= 0.0995 && share < 0.995 ? `${String(Math.round(share * 100))} %` : percentOf(share);

const percentOf = (share: number): string => percent(share).replace('100.0 %', '100 %');

/** A number with its sign. */
const signed = (value: number): string =>
  value > 0
    ? `+${formatNumber(value)}`
    : value < 0
      ? `−${formatNumber(-value)}`
      : formatNumber(value);

const signedRange = (from: number, to: number): string =>
  from === to ? signed(from) : `${signed(from)} to ${signed(to)}`;

const signedTokens = (value: number): string =>
  `${signed(value)} ${Math.abs(value) === 1 ? 'token' : 'tokens'}`;

/** The route that was rolled, where there are others. */
const ofRoute = (route: string | null): string => (route === null ? '' : ` of route ${route}`);
const otherRoutes = (route: string | null): string =>
  route === null ? '' : 'Other routes are not compared. ';

export const impact = {
  signed,
  /** The pill: the share of the rolls that an edit changes. */
  pill: ({ rolls, changed, share, route }: EditImpact): string =>
    changed === 0
      ? `no roll${ofRoute(route)} changes, ${formatNumber(rolls)} of ${formatNumber(rolls)} identical`
      : `changes ${roughly(share)} of rolls${ofRoute(route)}`,
  pillTokens: (tokens: number): string => `, median ${signedTokens(tokens)}`,
  pillHint: ({ rolls, changed, route }: EditImpact): string =>
    `${formatNumber(changed)} of ${plural(rolls, 'roll')}${ofRoute(route)} change against the file. ${otherRoutes(route)}Click to compare.`,
  pillFailed: 'changes not compared',
  pillNewRoute: 'route not in the saved file',
  show: 'Compare every roll with the file',
  compares: 'Compare',
  one: 'One roll',
  every: 'Every roll',
  saved: (file: string) => `${file}, saved`,
  title: ({ rolls, changed, share, tokens, route }: Impact): string =>
    changed === 0
      ? `${formatNumber(rolls)} of ${plural(rolls, 'roll')}${ofRoute(route)} identical`
      : `${roughly(share)} of ${plural(rolls, 'roll')}${ofRoute(route)} ${rolls === 1 ? 'changes' : 'change'}, median ${signedTokens(tokens?.median ?? 0)}`,
  counts: ({ changed, identical, elapsed, route }: Impact): string =>
    `${formatNumber(changed)} changed, ${formatNumber(identical)} identical. Same seeds on both sides, ${formatNumber(elapsed)} ms. ${otherRoutes(route)}`.trim(),
  orderOnly: (rolls: number): string => `${plural(rolls, 'roll')} only in order or whitespace`,
  sections: 'What changes',
  heads: { place: 'Edited', share: 'Share of rolls that change', rolls: 'Rolls' },
  lengths: 'Change of the length in tokens',
  lengthsView: 'Change of the length as',
  lengthsTitle: (min: number, max: number): string =>
    min === max ? signedTokens(min) : `${signed(min)} to ${signedTokens(max)}`,
  lengthHeads: { range: 'Tokens', rolls: 'Rolls', share: 'Share of changed' },
  plot: {
    bar: (from: number, to: number, rolls: number, share: number): string =>
      `${signedRange(from, to)} tokens: ${plural(rolls, 'roll')}, ${percent(share)}`,
    range: signedRange,
    value: signed,
    mark: {
      p5: (value: number) => `p5 ${signed(value)}`,
      median: (value: number) => `median ${signed(value)}`,
      p95: (value: number) => `p95 ${signed(value)}`,
      budget: String,
    },
  },
  besides: 'Other changes',
  crossing: ({ budget }: BudgetCrossing): string => `Over ${plural(budget, 'token')}`,
  crossed: ({ above, below }: BudgetCrossing): string =>
    above === 0 && below === 0
      ? 'no roll crosses it'
      : `${formatNumber(above)} now over, ${formatNumber(below)} no longer`,
  prefix: 'Shared by all rolls',
  then: (before: number | null, after: number | null): string =>
    `${before === null ? '–' : formatNumber(before)} → ${after === null ? '–' : plural(after, 'token')}`,
  added: 'New problems',
  removed: 'Resolved problems',
  none: 'none',
  empty: 'Rolls that print nothing',
  conflicts: 'Rolls with a conflict',
  rollsThen: (before: number, after: number): string =>
    `${formatNumber(before)} → ${formatNumber(after)}`,
  snapshots: (count: number): string => plural(count, 'snapshot'),
  snapshotsLabel: 'Snapshots under the edited registry',
  snapshotCounts: ({ same, changed, broken, damaged }: SnapshotImpact): string =>
    [
      `${formatNumber(same)} same`,
      ...(changed > 0 ? [`${formatNumber(changed)} changed`] : []),
      ...(broken > 0
        ? [`${formatNumber(broken)} no longer ${broken === 1 ? 'loads' : 'load'}`]
        : []),
      ...(damaged > 0 ? [`${formatNumber(damaged)} not readable`] : []),
    ].join(', '),
  snapshotTokens: (before: number, after: number): string => signedTokens(after - before),
  noDiff: 'Not compared word by word: too many snapshots change. Compare it with now.',
  diff: 'Diff',
  showSnapshot: 'Show',
  diffOf: (name: string): string => `Diff of ${name}`,
  showOf: (name: string): string => `Show snapshot ${name}`,
  rolls: 'Changed rolls',
  changedRolls: (rolls: number): string => `${plural(rolls, 'changed roll')}`,
  kinds: (kinds: number, exact: boolean, listed: number): string =>
    kinds === 1
      ? 'all in the same way'
      : kinds > listed
        ? `${exact ? '' : 'about '}${plural(kinds, 'different change')}, ${formatNumber(listed)} listed, most different first`
        : `${plural(kinds, 'different change')}, most different first`,
  ofBar: (from: number, to: number): string => `of ${signedRange(from, to)} tokens`,
  row: (seed: number, change: number, rolls: number): string =>
    `Seed ${String(seed)}, ${signedTokens(change)}, ${plural(rolls, 'roll')} ${rolls === 1 ? 'changes' : 'change'} this way`,
  times: (rolls: number): string => `× ${formatNumber(rolls)}`,
  openSeed: 'Open',
  openSeedOf: (seed: number): string => `Open seed ${String(seed)}`,
  sizes: (before: number, after: number): string =>
    `${formatNumber(before)} → ${formatNumber(after)}`,
  rest: 'the rest is the same',
  nothingChanges: (route: string | null): string => `No roll${ofRoute(route)} changes`,
  nothingChangesDetail: (rolls: number): string =>
    `${formatNumber(rolls)} of ${plural(rolls, 'roll')} are identical in both versions.`,
  move: 'move',
  opens: 'open the seed',
  sampling: 'Sampling',
  samplings: {
    different: 'Different prompts',
    random: 'Random',
    shuffle: 'Shuffle',
    pairwise: 'Pairwise',
    exhaustive: 'Exhaustive',
  },
  samplingHints: {
    random: 'unlimited, equal prompts included',
    shuffle: 'unlimited, every value once before any comes again',
  },
  pairs: (rolls: string, pairs: number, impossible: number): string =>
    `${formatNumber(Number(rolls))} ${rolls === '1' ? 'roll has' : 'rolls have'} all ${plural(pairs, 'pair')} of values${impossible === 0 ? '' : `, ${formatNumber(impossible)} more cannot occur`}`,
  everyEvaluation: (count: string, exact: boolean): string =>
    `${exact ? '' : 'at most '}${count} ${count === '1' ? 'evaluation' : 'evaluations'}, each once`,
  rollNumber: (index: number): string => `#${formatNumber(index + 1)}`,
  useRoll: (index: number): string => `Use roll ${formatNumber(index + 1)}`,
} as const;
