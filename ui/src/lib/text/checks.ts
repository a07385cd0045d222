// The words of the Checks tab.
import type { CheckFault, ChecksReport } from '../ipc';
import { formatNumber, plural } from './number-format';

/** How many checks are in each group that the sentences name. */
type GroupCounts = Record<'holds' | 'fails' | 'broken' | 'review' | 'empty', number>;

export const checks = {
  none: 'No checks yet',
  noneDetail:
    'A check is a promise about the prompts of this deck, kept in a file beside it. It runs after every edit, and in promptdeck test.',
  cannotRead: 'The file of checks cannot be read',
  cannotReadDetail: 'It is left unchanged. Correct it in a text editor, and the checks run here.',
  groups: {
    fails: 'Fails',
    broken: 'Cannot run',
    review: 'To review',
    empty: 'To fill in',
    running: 'Running',
    holds: 'Holds',
  },
  /** What a group has in common, beside its name. */
  groupHelp: {
    fails: 'something expected was not found',
    broken: 'something in it cannot be used; its field says what',
    review: 'a golden text differs: accept or reject the new one',
    empty: 'an expectation has no value yet',
    running: 'no verdict yet',
    holds: 'everything expected was found',
  },
  openCheck: { title: 'Open', help: 'goes to its group when another check is opened' },
  /** Beside the name of a group that the open check is listed in and no longer belongs to. */
  notCounted: 'without the open check, which goes to its group when another is opened',
  state: {
    fails: 'fails',
    broken: 'cannot run',
    review: 'waits for review',
    empty: 'waits to be filled in',
    running: 'running',
    holds: 'holds',
  },
  summary: (all: number, { holds, fails, broken, review, empty }: GroupCounts): string => {
    const parts: string[] = [];
    if (holds > 0 || empty < all)
      parts.push(`${formatNumber(holds)} ${holds === 1 ? 'holds' : 'hold'}`);
    if (fails > 0) parts.push(`${formatNumber(fails)} ${fails === 1 ? 'fails' : 'fail'}`);
    if (broken > 0) parts.push(`${formatNumber(broken)} cannot run`);
    if (review > 0)
      parts.push(`${formatNumber(review)} ${review === 1 ? 'waits' : 'wait'} for review`);
    if (empty > 0) parts.push(`${formatNumber(empty)} to fill in`);
    return `${plural(all, 'check')}: ${parts.join(', ')}`;
  },
  ranIn: ({ millis }: ChecksReport) => `ran in ${formatNumber(millis)} ms`,
  runs: 'running',
  /** The mark of the status bar. */
  mark: (all: number, { fails, broken, review, empty }: GroupCounts): string => {
    const ofAll = `${formatNumber(fails || broken)} of ${plural(all, 'check')}`;
    const alsoBroken = broken > 0 ? `, ${formatNumber(broken)} cannot run` : '';
    if (fails > 0) return `${ofAll} ${fails === 1 ? 'fails' : 'fail'}${alsoBroken}`;
    if (broken > 0) return `${ofAll} cannot run`;
    if (review > 0) return `${plural(review, 'golden text')} to review`;
    if (all === 0 && empty > 0) return `${plural(empty, 'check')} to fill in`;
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
  given: 'Given',
  form: 'Subject of the check',
  forms: { prompt: 'one roll', rolls: 'rolls', answer: 'an answer' },
  ofRolls: 'Rolls',
  fromSeed: 'First seed',
  seed: 'Seed',
  ofRoute: 'Route',
  defaultRoute: 'default',
  givenState: {
    label: 'State',
    none: 'all defaults',
    tables: (tables: readonly (readonly [string, number])[]) =>
      tables.map(([table, entries]) => `${table} ${formatNumber(entries)}`).join(', '),
    present: 'Use the current state and route',
    edit: 'Edit as JSON',
    close: 'Close the JSON',
    clear: 'Remove the state',
    json: 'State as JSON',
    jsonHint: '{"selections": …} or a snapshot',
    notObject: 'Not a JSON object yet.',
    actions: 'State actions',
  },
  variable: 'Variable',
  variableText: (name: string) => `Text of ${name}`,
  addVariable: 'Variable',
  removeVariable: (name: string) => `Remove variable ${name}`,
  notNumber: 'Write a number.',
  expect: 'Expect',
  name: 'Name',
  kind: 'Kind of expectation',
  noKind: 'choose a kind',
  addExpectation: 'Expectation',
  removeExpectation: (kind: string) => `Remove expectation ${kind}`,
  allow: 'Allowed code',
  allowMore: 'allow a code',
  disallow: (code: string) => `Stop allowing ${code}`,
  value: 'Value',
  fieldOf: (field: string, check: string) => `${field} of check ${check}`,
  tokenizer: 'Tokenizer',
  least: 'Minimum share in %',
  most: 'Maximum share in %',
  valueHint: {
    text: 'text',
    pattern: 'Python pattern, as in output policies',
    tokens: 'tokens',
    characters: 'characters',
    target: 'section, section.item or token',
    share: 'section, section.item or token',
    reason: 'reason, or empty for any',
    golden: 'golden text; accept the new text to record it',
    problems: 'no errors or warnings, except',
    flag: 'the output policy accepts the answer',
  },
  theAnswer: 'Answer',
  answerHint: 'a model’s answer, judged by the output policy',
  add: 'Add check',
  newName: 'new check',
  keepPrompt: 'Keep the prompt as check',
  keepRoll: (seed: number) => `Keep seed ${seed} as check`,
  keepSnapshot: 'Keep the snapshot as check',
  keepAnswer: 'Keep the answer as check',
  followed: (count: number) =>
    `The checks follow: ${plural(count, 'name')} in them changed as well. Saving the registry saves both.`,
  kept: (name: string) => `Kept as check “${name}”.`,
  show: 'Show',
  rename: 'Rename',
  remove: 'Delete',
  removed: (name: string) => `Deleted check “${name}”.`,
  actions: (name: string) => `Check ${name} actions`,
  goldenDiffers: 'The golden text differs',
  goldenRejected: 'The golden text differs; the new text is rejected',
  goldenHelp:
    'The golden text is what the check recorded as right. Accept records the new text in its place; reject keeps it, and the check fails.',
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
  draftBack: (file: string) => `Restored your unsaved edits of ${file}.`,
  unknownKeys: (lines: string[]) => lines.join('; '),
  undo: 'Undo in checks',
  redo: 'Redo in checks',
  saveFile: 'Save the checks',
  undoAdd: (name: string) => `Add check ${name}`,
  undoRename: (from: string, to: string) => `Rename check ${from} to ${to}`,
  undoRemove: (name: string) => `Delete check ${name}`,
  undoAccept: (count: number) => `Accept ${plural(count, 'golden text')}`,
  undoName: 'Edit the name of a check',
  undoExpectation: (name: string) => `Edit what ${name} expects`,
  undoGiven: (name: string) => `Edit what is given to ${name}`,
  undoAddExpectation: (name: string) => `Add an expectation to ${name}`,
  undoRemoveExpectation: (name: string) => `Remove an expectation of ${name}`,
  keys: [
    { label: 'Open the failing roll', keys: ['Enter'] },
    { label: 'Next or previous check', keys: ['↑', '↓'] },
    { label: 'Rename', keys: ['F2'] },
    { label: 'Delete', keys: ['Del'] },
  ],
} as const;
