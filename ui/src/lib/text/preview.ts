// The words of the preview: its tabs and what they show.
import { figure, plural } from './figures';

export const preview = {
  prompt: 'Prompt',
  selectedVsEvaluated: 'Selected vs evaluated',
  rolledCount: (count: number) => `${count} rolled`,
  rows: 'Rows',
  allRows: 'All',
  differences: 'Differences',
  lockAll: (count: number) => `Lock all ${count}`,
  tableHeads: {
    section: 'Section',
    selected: 'Selected',
    used: 'Used',
    why: 'Why',
    tokens: 'Tokens',
  },
  same: 'same',
  notRendered: 'not rendered',
  why: { selection: 'selected', baked: 'baked', default: 'default', random: 'rolled' },
  filtered: 'filtered',
  usedAsSelected: (count: number) =>
    count === 0
      ? 'Nothing is used as selected'
      : `${plural(count, 'section or setting', 'sections and settings')} ${count === 1 ? 'is' : 'are'} used as selected`,
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
  emptyPromptDetail: 'No token of the assembly renders anything.',
  noPrompt: 'There is no prompt',
  pointAtText: 'Point at the text to see where it comes from',
  clickOpens: 'Click opens the field',
  provItem: 'item',
  provField: 'field',
  provVariable: 'variable',
  provFragment: (index: number) => `fragment ${index}`,
  atTheEnd: 'at the end',

  tabs: { prompt: 'Prompt', variants: 'Variants', compare: 'Compare', json: 'JSON' },
  modeEach: (mode: string) => `${mode} each`,

  distinctPrompts: 'distinct evaluations',
  countingOrder: (count: string) => `${count} counting order`,
  about: (digits: string) => `${digits[0]}.${digits[1]} × 10^${digits.length - 1}`,
  sample: 'Sample',
  resample: 'Resample',
  nothingRolls: 'Nothing is rolled',
  nothingRollsDetail: 'Switch Random on for a section, a slider or a list to get variants.',
  nowBadge: 'now',
  use: 'Use',
  useVariant: (seed: number) => `Use variant of seed ${seed}`,

  compareLeft: 'Left side',
  compareRight: 'Right side',
  compareBy: 'Compare by',
  swapSides: 'Swap sides',
  granularity: { words: 'Words', lines: 'Lines' },
  stateHead: 'State',
  settingsOf: (differ: number, all: number) => `${differ} of ${plural(all, 'setting')} differ`,
  charactersThen: (left: number, right: number) =>
    `${figure(left)} characters, then ${figure(right)}`,

  canonical: 'Canonical model JSON',
  linesAndSize: (lines: number, bytes: number) =>
    `${plural(lines, 'line')}, ${bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`}`,
  diffToFile: 'Diff to file',
  jsonView: 'View',
  sameAsFile: 'Saving would write what the file holds already.',
  unchangedLines: (count: number) => plural(count, 'unchanged line'),
} as const;
