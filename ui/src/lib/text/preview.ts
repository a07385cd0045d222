// The words of the preview: its tabs and what they show.
import type { InsertionEffect, SideText, ValueLabel } from '../ipc';
import { valueTitle } from './value-title';
import { formatBytes, formatNumber, plural } from './number-format';

export const preview = {
  prompt: 'Prompt',
  selectedVsEvaluated: 'Selected vs evaluated',
  rolledCount: (count: number) => `${count} rolled`,
  rows: 'Rows',
  allRows: 'All',
  differences: 'Differences',
  cannotLock: (count: number) =>
    `${count} of the rolled values cannot be locked: several items of a section rolled different entries of one list`,
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
  notRendered: 'not printed',
  why: { selection: 'selected', baked: 'baked', default: 'default', random: 'rolled' },
  whyHelp: {
    selection: 'Selected: set here, and included in an export.',
    baked: 'Baked: stored in the registry file.',
    default: 'Default: nothing is set.',
    random: 'Rolled: picked by the seed.',
  },
  filtered: 'filtered',
  moreRows: (count: number) => `Show ${plural(count, 'more row')}`,
  usedAsSelected: (count: number, all: number) =>
    all === 0
      ? 'There is nothing to compare'
      : count === 0
        ? 'Every value differs from the selection'
        : `${plural(count, 'section or setting', 'sections and settings')} ${count === 1 ? 'matches' : 'match'} the selection`,
  characters: (count: number) => (count === 1 ? 'character' : 'characters'),
  tokens: (count: number) => (count === 1 ? 'token' : 'tokens'),
  tokenizer: (name: string, exact: boolean) => `${name}, ${exact ? 'exact' : 'estimate'}`,
  tokensPerSection: 'Tokens per section',
  showRaw: 'Show raw text',
  wrapLines: 'Wrap lines',
  copyPrompt: 'Copy prompt',
  promptCopied: 'Prompt copied.',
  templateCopied: 'Copied the template: the prompt is not rendered.',
  unrendered: 'Not rendered',
  countedUnrendered:
    'The texts are Jinja templates, counted and compared before they are rendered: the prompts of a call differ.',
  isTemplate: (why: string) => `This is the template, not what a model gets. ${why}`,
  evaluatedPrompt: 'Evaluated prompt',
  emptyPrompt: 'The prompt is empty',
  emptyPromptDetail: 'No entry of the assembly prints text.',
  writePrompt: 'Press here to write its first text.',
  notInPrompt: 'Not in this prompt',
  addAll: (count: number) => (count === 1 ? 'Add' : `Add all ${count}`),
  addAllToPrompt: (count: number) => `Add ${plural(count, 'entry', 'entries')} to the prompt`,
  addToPrompt: 'Add to prompt',
  addToPromptNamed: (token: string) => `Add ${token} to the prompt`,
  addToRoute: 'Add to this route',
  addToRouteNamed: (token: string) => `Add ${token} to this route`,
  add: 'Add',
  noEntryPrints: 'No entry prints this',
  noEntryPrintsSlider: 'No entry prints the slider',
  noEntryPrintsFragments: 'No entry prints the fragments',
  gap: (name: string) => `${name} has no value`,
  besideGap: (name: string, after: boolean) => `Text ${after ? 'after' : 'before'} ${name}`,
  noPrompt: 'No prompt',
  pointAtText: 'Point at the text to see its source',
  clickOpens: 'Click to edit here, Ctrl+click to open the field',
  promptEditing: 'editing',
  promptLeaves: 'leaves',
  promptUndoes: 'undoes',
  promptNoPlace: 'Put the caret in the text of the entry to split it.',
  promptGlue: 'The assembly inserts this between two texts. Nothing is deleted.',
  promptComposition:
    'A letter with an accent, or of an input method, is written into one text only. Delete what is selected first.',
  promptDrop: 'No text can be edited here. Drop it on one that can.',
  promptFewerBlankLines:
    'The prompt has at most one blank line in a row. The others of the pasted text were left out.',
  promptGap: (name: string) =>
    `${name} has no value, so there is nothing to delete. Take {${name}} out of the text in its field.`,
  promptWayThere: 'Go to its field',
  alternatives: 'Alternatives',
  listFixed: (list: string) => `${list} prints the same entries in every roll now.`,
  itemFixed: (section: string) => `${section} uses the same item in every roll now.`,
  rolledItemOf: (total: number) => `1 of ${total} items rolled`,
  shareUnknown: 'depends',
  shareDepends: 'How often it is rolled depends on the roll of another section.',
  editPrinted: 'Edit this text',
  rolledOf: (drawn: number, total: number) => `${drawn} of ${total} rolled, share of each line`,
  rollAgain: 'Roll again',
  percent: (share: number) => `${share} %`,
  printedBeside: (by: number) =>
    by === 1 ? 'next line' : by === -1 ? 'previous line' : 'also printed',
  alternativeText: (index: number) => `Entry at index ${index}`,
  lockLine: 'Lock this roll',
  chooseAndLock: 'Choose and lock',
  editEntry: 'Edit entry',
  keyChooses: 'chooses',
  keyLocks: 'locks',
  keyEdits: 'edits',
  madeBySlider: (value: string) => `${value} is made by the slider`,
  sliderRolled: 'Rolled from 1 to 10, so it cannot be typed here.',
  sliderSet: 'The number is set there and cannot be typed here.',
  goToSlider: 'Go to slider',
  notEditedHere: 'Cannot be edited here',
  goToField: 'Go to its field',
  lockValue: (value: string) => `Lock ${value}`,
  promptText: (place: string) => `${place}, printed text`,
  provItem: 'item',
  provField: 'field',
  provVariable: 'variable',
  provUndeclared: (names: string[]) =>
    `${[...new Set(names)].map((name) => `{${name}}`).join(', ')} not declared`,
  provNotClosed: (names: string[]) =>
    `${[...new Set(names)].map((name) => `{${name}`).join(', ')} not closed`,
  provLine: (line: number) => `line ${formatNumber(line)}`,
  /** Of the text that has the focus on its card, for screen readers. */
  printsAtLine: (line: number) => `prints, line ${line}`,
  wouldPrintAfter: 'would print after',
  wouldPrintFirst: 'would print first',
  wouldPrintNothing: 'would print nothing in this evaluation',
  undoTakesItOut: 'Undo takes it out again',
  insertionSize: ({ lines, tokens, exact }: InsertionEffect) =>
    lines === 0
      ? 'no text'
      : `${plural(lines, 'line')}, ${exact ? '' : '≈ '}${plural(tokens, 'token')}`,
  mergedInto: 'merged into',
  provExpression: 'expression',
  provFragment: (index: number) => `fragment ${index + 1}`,
  atTheEnd: 'at the end',

  tabs: {
    prompt: 'Prompt',
    chat: 'Chat',
    request: 'Request',
    run: 'Run',
    variants: 'Variants',
    compare: 'Compare',
    checks: 'Checks',
    json: 'JSON',
  },
  modeEach: (mode: string) => `${mode} each`,

  evaluations: (count: string) => (count === '1' ? 'evaluation' : 'evaluations'),
  atMost: 'at most ',
  ignoringOrder: (count: string) => `${count} ignoring order`,
  about: (digits: string) => `${digits[0]}.${digits[1]} × 10^${digits.length - 1}`,
  factors: 'Factors of the count',
  factor: (name: string, ways: string[]) => `${name} ${ways.join(' × ')}`,
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
  readOnly: 'read-only',
  textReadOnly: 'This text is read-only. Edit the deck on its cards or in the prompt.',
  stepped: {
    undo: (step: string) => `Undone in the deck: ${step}.`,
    redo: (step: string) => `Redone in the deck: ${step}.`,
  },
  linesAndSize: (lines: number, bytes: number) => `${plural(lines, 'line')}, ${formatBytes(bytes)}`,
  diffToFile: 'Diff to file',
  jsonView: 'View',
  sameAsFile: 'No differences: the file is up to date.',
  sameButUnread: (fields: string[]) =>
    `No differences, except what is not valid yet and not in the JSON: ${fields.join(', ')}.`,
  unchangedLines: (count: number) => plural(count, 'unchanged line'),
} as const;
