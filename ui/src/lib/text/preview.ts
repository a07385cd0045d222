// The words of the preview: its tabs and what they show.
import type { SideText, ValueLabel } from '../ipc';
import { valueTitle } from './value-title';
import { formatNumber, plural } from './number-format';

export const preview = {
  prompt: 'Prompt',
  selectedVsEvaluated: 'Selected vs evaluated',
  rolledCount: (count: number) => `${count} rolled`,
  rows: 'Rows',
  allRows: 'All',
  differences: 'Differences',
  lockAll: (count: number) => (count === 0 ? 'Lock all' : `Lock all ${count}`),
  tableHeads: {
    section: 'Section',
    selected: 'Selected',
    used: 'Used',
    why: 'Why',
    tokens: 'Tokens',
  },
  same: 'same',
  relationKept: 'met',
  relationNot: 'not met',
  notRendered: 'not rendered',
  why: { selection: 'selected', baked: 'baked', default: 'default', random: 'rolled' },
  filtered: 'filtered',
  usedAsSelected: (count: number) =>
    count === 0
      ? 'Every value differs from the selection'
      : `${plural(count, 'section or setting', 'sections and settings')} ${count === 1 ? 'matches' : 'match'} the selection`,
  characters: 'characters',
  tokens: 'tokens',
  tokenizer: (name: string, exact: boolean) => `${name}, ${exact ? 'exact' : 'estimate'}`,
  tokensPerSection: 'Tokens per section',
  showRaw: 'Show raw text',
  wrapLines: 'Wrap lines',
  copyPrompt: 'Copy prompt',
  promptCopied: 'Prompt copied.',
  evaluatedPrompt: 'Evaluated prompt',
  emptyPrompt: 'The prompt is empty',
  emptyPromptDetail: 'No entry of the assembly renders text.',
  notInPrompt: 'Not in this prompt',
  addAll: (count: number) => (count === 1 ? 'Add' : `Add all ${count}`),
  addAllToPrompt: (count: number) => `Add ${plural(count, 'entry', 'entries')} to the prompt`,
  addToPrompt: 'Add to prompt',
  addToPromptNamed: (token: string) => `Add ${token} to the prompt`,
  add: 'Add',
  noEntryPrints: 'No entry prints this',
  noEntryPrintsSlider: 'No entry prints the slider',
  noEntryPrintsFragments: 'No entry prints the fragments',
  entryWords: (index: number) => `entry ${index}`,
  gap: (name: string) => `${name} has no value`,
  noPrompt: 'No prompt',
  pointAtText: 'Point at the text to see its source',
  clickOpens: 'Click to open the field',
  provItem: 'item',
  provField: 'field',
  provVariable: 'variable',
  provUndeclared: (names: string[]) =>
    `${[...new Set(names)].map((name) => `{${name}}`).join(', ')} not declared`,
  provNotClosed: (names: string[]) =>
    `${[...new Set(names)].map((name) => `{${name}`).join(', ')} not closed`,
  provExpression: 'expression',
  provFragment: (index: number) => `fragment ${index}`,
  atTheEnd: 'at the end',

  tabs: {
    prompt: 'Prompt',
    chat: 'Chat',
    request: 'Request',
    run: 'Run',
    variants: 'Variants',
    compare: 'Compare',
    json: 'JSON',
  },
  modeEach: (mode: string) => `${mode} each`,

  evaluations: (count: string) => (count === '1' ? 'evaluation' : 'evaluations'),
  atMost: 'at most ',
  ignoringOrder: (count: string) => `${count} ignoring order`,
  about: (digits: string) => `${digits[0]}.${digits[1]} × 10^${digits.length - 1}`,
  factors: 'Factors of the count',
  factor: (sections: string[], of: string | null, ways: string[]) =>
    `${of ?? sections.join(' + ')} ${ways.join(' × ')}`,
  spread: (least: number, most: number, exact: boolean) =>
    `${exact ? '' : '≈ '}${least === most ? formatNumber(least) : `${formatNumber(least)} to ${formatNumber(most)}`} tokens`,
  picked: (section: string, of: string | null, value: ValueLabel) =>
    valueTitle(`${section}${of === null ? '' : `.${of}`}`, value),
  tokensOf: (count: number, exact: boolean) => `${exact ? '' : '≈ '}${plural(count, 'token')}`,
  sample: 'Sample',
  resample: 'Resample',
  nothingRolls: 'Nothing to roll',
  nothingRollsDetail: 'Switch Random on for a section, a slider or a list to get variants.',
  nowBadge: 'now',
  use: 'Use',
  useVariant: (seed: number) => `Use variant of seed ${seed}`,

  nothingToCompare: 'No snapshot to compare with',
  nothingToCompareDetail: 'Take a snapshot to see later changes here.',
  compareLeft: 'Left side',
  compareRight: 'Right side',
  compareBy: 'Compare by',
  previousChange: 'Previous',
  nextChange: 'Next',
  whatDiffers: 'Differences in',
  changeOf: (number: number, all: number) => `Change ${number} of ${all}`,
  swapSides: 'Swap sides',
  granularity: { words: 'Words', lines: 'Lines' },
  stateHead: 'State',
  settingsOf: (differ: number, all: number) => `${differ} of ${plural(all, 'setting')} differ`,
  sizeOf: ({ tokens, characters }: SideText) =>
    tokens === null ? plural(characters, 'character') : plural(tokens, 'token'),
  /** Tokens if both sides were counted, else characters. */
  sizesThen: (left: SideText, right: SideText) =>
    left.tokens === null || right.tokens === null
      ? `${formatNumber(left.characters)} characters, then ${formatNumber(right.characters)}`
      : `${formatNumber(left.tokens)} tokens, then ${formatNumber(right.tokens)}`,

  canonical: 'Canonical model JSON',
  linesAndSize: (lines: number, bytes: number) =>
    `${plural(lines, 'line')}, ${bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`}`,
  diffToFile: 'Diff to file',
  jsonView: 'View',
  sameAsFile: 'No differences: the file is up to date.',
  unchangedLines: (count: number) => plural(count, 'unchanged line'),
} as const;
