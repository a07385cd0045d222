// The words of the Checks tab.
import type { CheckFault, ChecksReport } from '../ipc';
import { formatNumber, plural } from './number-format';

export const checks = {
  none: 'No checks yet',
  noneDetail:
    'A check is a promise about the prompts of this deck, kept in a file beside it. It runs after every edit, and in promptdeck test.',
  cannotRead: 'The file of checks cannot be read',
  cannotReadDetail: 'It stays as it is. Correct it in a text editor; the checks then run here.',
  groups: { fails: 'Fails', review: 'To review', running: 'Running', holds: 'Holds' },
  state: {
    fails: 'fails',
    review: 'waits for review',
    running: 'running',
    holds: 'holds',
  },
  summary: (all: number, holds: number, fails: number, review: number): string => {
    const parts = [`${formatNumber(holds)} ${holds === 1 ? 'holds' : 'hold'}`];
    if (fails > 0) parts.push(`${formatNumber(fails)} ${fails === 1 ? 'fails' : 'fail'}`);
    if (review > 0)
      parts.push(`${formatNumber(review)} ${review === 1 ? 'waits' : 'wait'} for review`);
    return `${plural(all, 'check')}: ${parts.join(', ')}`;
  },
  ranIn: ({ millis }: ChecksReport) => `ran in ${formatNumber(millis)} ms`,
  runs: 'running',
  /** The mark of the status bar. */
  mark: (all: number, fails: number, review: number): string => {
    if (fails > 0)
      return `${formatNumber(fails)} of ${plural(all, 'check')} ${fails === 1 ? 'fails' : 'fail'}`;
    if (review > 0) return `${plural(review, 'golden text')} to review`;
    return `${plural(all, 'check')} ${all === 1 ? 'holds' : 'hold'}`;
  },
  list: 'List of checks',
  details: 'Check',
  rolls: (rolls: number) => plural(rolls, 'roll'),
  answer: 'answer',
  route: (route: string) => `route ${route}`,
  seedOf: (seed: number, short: (seed: number) => string = String) => `seed ${short(seed)}`,
  expected: 'Expected',
  found: 'Found',
  from: 'From',
  lowestSeed: 'Lowest seed',
  goTo: (label: string) => `Go to ${label}`,
  openRoll: 'Open this roll',
  rollOpened: (seed: number) => `Opened seed ${seed} with the state of the check.`,
  fault: ({ message, line, column }: CheckFault): string =>
    line === null ? message : `Line ${line}, column ${column ?? 1}: ${message}`,
  ofRolls: 'Rolls',
  badRolls: 'The number of rolls is a whole number from 1 to 1,000,000.',
  expect: 'Expect',
  name: 'Name',
  kind: 'Kind of expectation',
  value: 'Value',
  tokenizer: 'Tokenizer',
  least: 'Least share in %',
  most: 'Largest share in %',
  valueHint: {
    text: 'text',
    pattern: 'Python pattern, as in output policies',
    tokens: 'tokens',
    number: 'characters',
    target: 'section, section.item or token',
    reason: 'reason, or empty for any',
    allowed: 'no errors or warnings',
    nothing: 'nothing else to say',
  },
  theAnswer: 'Answer',
  answerHint: 'a model’s answer, judged by the output policy',
  incomplete: 'Fill in the value of the expectation.',
  noName: 'A check has a name.',
  add: 'Add check',
  addTitle: 'New check',
  addGiven: (state: string) => `${state}, from seed`,
  presentState: (route: string | null) =>
    route === null ? 'present state, default route' : `present state, route ${route}`,
  keepPrompt: 'Keep the prompt as check',
  keepRoll: (seed: number) => `Keep seed ${seed} as check`,
  keepSnapshot: 'Keep the snapshot as check',
  keepAnswer: 'Keep the answer as check',
  kept: (name: string) => `Kept as check “${name}”.`,
  show: 'Show',
  rename: 'Rename',
  remove: 'Remove',
  removed: (name: string) => `Removed check “${name}”.`,
  actions: (name: string) => `Actions of check ${name}`,
  goldenDiffers: 'The golden text differs',
  goldenOld: 'Golden text',
  goldenNew: 'New text',
  golden: (name: string) => `Golden text of ${name}`,
  accept: 'Accept',
  reject: 'Reject',
  acceptOf: (name: string) => `Accept the new text of ${name}`,
  rejectOf: (name: string) => `Reject the new text of ${name}`,
  acceptAll: (count: number) => `Accept all ${formatNumber(count)}`,
  rejectAll: 'Reject all',
  sameLines: (lines: number) => `${plural(lines, 'line')} the same`,
  unsaved: (file: string) => `Kept in ${file}, unsaved`,
  savedIn: (file: string) => `Kept in ${file}`,
  save: 'Save',
  draftBack: (file: string) => `Restored the unsaved edits of ${file}.`,
  unknownKeys: (lines: string[]) => lines.join('; '),
  undo: 'Undo in checks',
  redo: 'Redo in checks',
  saveFile: 'Save the checks',
  undoAdd: (name: string) => `Add check ${name}`,
  undoRename: (from: string, to: string) => `Rename check ${from} to ${to}`,
  undoRemove: (name: string) => `Remove check ${name}`,
  undoAccept: (count: number) => `Accept ${plural(count, 'golden text')}`,
  undoExpectation: (name: string) => `Edit what ${name} expects`,
  undoRolls: (name: string) => `Edit the rolls of ${name}`,
  keys: [
    { label: 'Open the failing roll', keys: ['Enter'] },
    { label: 'Next or previous check', keys: ['↑', '↓'] },
    { label: 'Rename', keys: ['F2'] },
    { label: 'Remove', keys: ['Del'] },
  ],
} as const;
