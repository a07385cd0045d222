// The words of the profile: what a sample of the rolls prints.
import type { PrefixLevel, ProfileProgress } from '../ipc';
import { formatNumber, plural } from './number-format';

/** A share with one decimal; next to none and all but all are not rounded to none and all. */
const percent = (share: number): string => {
  const rounded = (share * 100).toFixed(1);
  if (share > 0 && rounded === '0.0') return '< 0.1 %';
  if (share < 1 && rounded === '100.0') return '> 99.9 %';
  return `${rounded} %`;
};

const range = (from: number, to: number): string =>
  from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`;

/** What the numbers of a histogram are called. */
export interface PlotWords {
  bar: (from: number, to: number, rolls: number, share: number) => string;
  range: (from: number, to: number) => string;
  value: (value: number) => string;
  mark: Record<'p5' | 'median' | 'p95' | 'budget', (value: number) => string>;
}

const plotWords: PlotWords = {
  bar: (from, to, rolls, share) =>
    `${range(from, to)} tokens: ${plural(rolls, 'roll')}, ${percent(share)}`,
  range,
  value: formatNumber,
  mark: {
    p5: (value) => `p5 ${formatNumber(value)}`,
    median: (value) => `median ${formatNumber(value)}`,
    p95: (value) => `p95 ${formatNumber(value)}`,
    budget: (value) => `budget ${formatNumber(value)}`,
  },
};

const seconds = (ms: number): string =>
  ms < 90_000
    ? `${Math.max(1, Math.round(ms / 1000))} s left`
    : `${Math.round(ms / 60_000)} min left`;

export const profile = {
  percent,
  range,
  plot: 'Plot',
  table: 'Table',
  measuring: 'Measuring',
  stop: 'Stop',
  /** How far a large sample is, and how long it takes from here. */
  progress: ({ done, rolls, elapsed }: ProfileProgress): string => {
    const count = `${formatNumber(done)} of ${formatNumber(rolls)} rolls`;
    return done === 0 ? count : `${count}, ${seconds((elapsed * (rolls - done)) / done)}`;
  },
  stoppedAt: (rolls: number) => `stopped after ${plural(rolls, 'roll')}`,
  samples: 'Rolls in the sample',
  lengths: 'Lengths',
  lengthsView: 'Lengths as',
  lengthsTitle: (p5: number, p95: number) =>
    p5 === p95
      ? `9 of 10 prompts have ${plural(p5, 'token')}`
      : `9 of 10 prompts have ${range(p5, p95)} tokens`,
  lengthsSame: (tokens: number) => `All prompts have ${plural(tokens, 'token')}`,
  tokenizer: (name: string, exact: boolean) => `${name}, ${exact ? 'exact' : 'estimate'}`,
  budget: 'Budget',
  budgetHint: 'tokens',
  budgetWrong: 'The budget is a whole number of tokens above 0, or empty.',
  plotWords,
  mark: plotWords.mark,
  quantilesHelp: 'p5, median, p95: 5, 50 and 95 of 100 prompts are no longer than this.',
  barRolls: (rolls: number) => plural(rolls, 'roll'),
  shortest: 'shortest',
  longest: 'longest',
  shortSeed: (seed: number) => {
    const digits = String(seed);
    return digits.length > 7 ? `…${digits.slice(-6)}` : digits;
  },
  openSeed: (seed: string) => `Use seed ${seed}`,
  over: (share: number, budget: number) => `${percent(share)} over ${formatNumber(budget)}`,
  noneOver: (budget: number) => `none over ${formatNumber(budget)}`,
  rollsOf: (rolls: number, all: number) => `${formatNumber(rolls)} of ${plural(all, 'roll')}`,
  lengthHeads: { range: 'Tokens', rolls: 'Rolls', share: 'Share' },
  emptyRolls: (rolls: number) => `${plural(rolls, 'roll')} print nothing`,
  conflict: (section: string, rolls: number) =>
    `no item of ${section} satisfies requires and excludes in ${plural(rolls, 'roll')}`,

  coverage: 'Coverage',
  coverageView: 'Coverage as',
  coverageTitle: (printed: number, absent: number) =>
    absent === 0
      ? printed === 1
        ? 'The only entry is printed'
        : `All ${printed} entries are printed`
      : `${printed} of ${printed + absent} entries are printed, ${absent} never ${absent === 1 ? 'is' : 'are'}`,
  sort: 'Sort',
  sorts: { rare: 'rare first', common: 'common first', registry: 'as in the registry' },
  coverageHeads: {
    name: 'Printed',
    interval: '99 % interval',
    share: 'Share',
    exact: 'Exact',
    rolls: 'Rolls',
  },
  never: 'Never printed',
  neverOf: (absent: number, all: number) => `${absent} of ${all}`,
  moreAbsent: (count: number) => `${count} more`,
  fewerAbsent: 'Show fewer',
  items: (items: number, rolled: boolean) => `${plural(items, 'item')}${rolled ? ', rolled' : ''}`,
  interval: (low: number, high: number) =>
    `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %`,
  noChance: '–',
  noChanceHint: 'No exact odds: it depends on another pick',
  slider: (from: number, to: number) => `slider ${from} to ${to}`,
  showRolls: (name: string) => `Rolls that print ${name}`,
  legend: {
    share: 'share, 99 % interval',
    exact: 'exact odds',
    none: '– no exact odds: depends on another pick',
  },
  intervalHelp:
    'The share of all possible rolls is within the interval in 99 of 100 samples; exact odds need no sample.',
  allRows: (rows: number) => `Show all ${rows} rows`,
  fewerRows: 'Show fewer rows',

  prefix: 'Stable prefix',
  prefixView: 'Stable prefix as',
  prefixTitle: ({ tokens, section }: PrefixLevel) =>
    section === null
      ? `All ${plural(tokens, 'token')} are the same in every roll`
      : tokens === 0
        ? `No token is the same in every roll; ${section} comes first`
        : `${plural(tokens, 'token')} ${tokens === 1 ? 'is' : 'are'} the same in every roll; up to ${section}`,
  prefixHelp:
    'The stable prefix is the text that all prompts begin with; a provider’s cache can reuse it.',
  sharedBy: { all: 'shared by all', most: 'by 95 %', half: 'by half' },
  prefixHeads: { tokens: 'Tokens', share: 'Rolls that agree' },
  drop: (tokens: number, share: number) =>
    `${plural(tokens, 'token')}: ${share === 1 ? 'all rolls' : percent(share)}`,
  curve: (levels: string) => `Share of rolls that agree up to a number of tokens: ${levels}`,
  texts: (count: number, exact: boolean) =>
    `${exact ? '' : 'about '}${formatNumber(count)} distinct ${count === 1 ? 'text' : 'texts'}`,
  sameText: (evaluations: number) =>
    `${formatNumber(evaluations)} evaluations print the same text as another`,

  pairs: 'Pairs',
  showPairs: 'Pairs',
  closePairs: 'Close pairs',
  pairRows: 'Rows',
  pairColumns: 'Columns',
  swap: 'Swap rows and columns',
  pairTitle: (occurring: number, impossible: number, all: number) =>
    [
      occurring === all
        ? `All ${plural(all, 'pair')} occur`
        : `${formatNumber(occurring)} of ${plural(all, 'pair')} ${occurring === 1 ? 'occurs' : 'occur'}`,
      ...(impossible === 0 ? [] : [`${formatNumber(impossible)} cannot`]),
    ].join(', '),
  pairShare: (rolls: number) => `% of ${plural(rolls, 'roll')}`,
  pairCell: (row: string, column: string, rolls: number, share: number) =>
    `${row} with ${column}: ${plural(rolls, 'roll')}, ${percent(share)}`,
  impossible: 'cannot occur',
  pairTooLarge: 'There are too many combinations to count. Choose smaller sections.',
  slot: (section: string, slider: boolean) => (slider ? `${section}, slider` : section),
  noPairs: 'Pairs need two sections with several items or a rolled slider.',
  rowRolls: 'rolls',
  both: (one: string, other: string) => `${one} with ${other}`,

  rolls: 'Rolls',
  different: 'Different prompts',
  inOrder: 'in seed order',
  barTitle: (from: number, to: number) => `Rolls of ${range(from, to)} tokens`,
  rowTitle: (name: string) => `Rolls with ${name}`,
  showAll: 'Show all',
  more: 'Show more',
  wide: 'Wide',
  wideHint: 'Show the tab in place of the deck',
} as const;
