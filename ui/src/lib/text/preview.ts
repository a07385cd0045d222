// The words of the preview: its tabs and what they show.
import type { SideText, ValueLabel } from '../ipc';
import { detailed } from './detailed';
import { figure, plural } from './figures';

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
  relationKept: 'kept',
  relationNot: 'not kept',
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
  provUndeclared: (names: string[]) =>
    `${[...new Set(names)].map((name) => `{${name}}`).join(', ')} not declared`,
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

  distinctPrompts: (count: string) =>
    count === '1' ? 'distinct evaluation' : 'distinct evaluations',
  atMost: 'at most ',
  countingOrder: (count: string) => `${count} counting order`,
  about: (digits: string) => `${digits[0]}.${digits[1]} × 10^${digits.length - 1}`,
  factors: 'What multiplies to it',
  factor: (sections: string[], of: string | null, ways: string[]) =>
    `${of ?? sections.join(' + ')} ${ways.join(' × ')}`,
  spread: (least: number, most: number, exact: boolean) =>
    `${exact ? '' : '≈ '}${least === most ? figure(least) : `${figure(least)} to ${figure(most)}`} tokens`,
  picked: (section: string, of: string | null, value: ValueLabel) =>
    detailed(`${section}${of === null ? '' : `.${of}`}`, value),
  tok: (count: number, exact: boolean) => `${exact ? '' : '≈ '}${figure(count)} tok`,
  sample: 'Sample',
  resample: 'Resample',
  nothingRolls: 'Nothing is rolled',
  nothingRollsDetail: 'Switch Random on for a section, a slider or a list to get variants.',
  nowBadge: 'now',
  use: 'Use',
  useVariant: (seed: number) => `Use variant of seed ${seed}`,

  nothingToCompare: 'There is nothing to compare with yet',
  nothingToCompareDetail: 'Take a snapshot: what is changed after it shows here.',
  compareLeft: 'Left side',
  compareRight: 'Right side',
  compareBy: 'Compare by',
  previousChange: 'Previous',
  nextChange: 'Next',
  whatDiffers: 'What differs',
  changeOf: (number: number, all: number) => `Change ${number} of ${all}`,
  swapSides: 'Swap sides',
  granularity: { words: 'Words', lines: 'Lines' },
  stateHead: 'State',
  settingsOf: (differ: number, all: number) => `${differ} of ${plural(all, 'setting')} differ`,
  sizeOf: ({ tokens, characters }: SideText) =>
    tokens === null ? plural(characters, 'character') : plural(tokens, 'token'),
  /** Tokens where they were counted, as a prompt is paid by them. */
  sizesThen: (left: SideText, right: SideText) =>
    left.tokens === null || right.tokens === null
      ? `${figure(left.characters)} characters, then ${figure(right.characters)}`
      : `${figure(left.tokens)} tokens, then ${figure(right.tokens)}`,

  canonical: 'Canonical model JSON',
  linesAndSize: (lines: number, bytes: number) =>
    `${plural(lines, 'line')}, ${bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`}`,
  diffToFile: 'Diff to file',
  jsonView: 'View',
  sameAsFile: 'Saving would write what the file holds already.',
  unchangedLines: (count: number) => plural(count, 'unchanged line'),
} as const;
