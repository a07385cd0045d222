// The words of the assembly column and its problems.
import type { Severity } from '../ipc';
import { plural } from './number-format';

export const assembly = {
  assembly: 'Assembly',
  assemblyOrder: 'Assembly order',
  tokenCount: (count: number) => plural(count, 'entry', 'entries'),
  tokensHead: 'tokens',
  tokensTitle: 'Model tokens of the text each entry prints',
  tokenHelp:
    'An entry prints a section (rules), a field of its items (rules.items) or the item that a text names (rules[personas]).',
  addToken: 'Add entry',
  removeToken: 'Remove entry',
  editToken: 'Edit entry',
  editTokenLabel: (token: string) => `Edit entry ${token}`,
  // Differs from the label of a section's actions: an entry may consist of a section's name.
  tokenActions: (token: string) => `Entry ${token} actions`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  tokenState: {
    rendered: 'printed',
    merged: 'merged into the list above',
    dropped: 'dropped',
    filtered: 'filtered',
  },
  merged: 'merged into the list above',
  dropped: (reason: string) => `dropped: ${reason}`,
  filteredTokens: (count: number) => `${plural(count, 'entry', 'entries')} filtered by `,
  completionKind: {
    section: 'section',
    field: 'field',
    array: 'array',
    scale: 'scale sentence',
    item: 'item',
    look_up: 'lookup',
    entry: 'entry',
  },
  ofTheCall: 'call',
  emptyAssembly: 'The assembly is empty',
  emptyAssemblyDetail: 'Add sections or fields in the order in which they are printed.',

  problems: 'Problems',
  noProblems: 'No problems found.',
  moreProblems: (count: number) => `Show more of ${count} problems`,
  lintPending: 'Checking for problems…',
  problem: {
    undeclared: (found: string, section: string) => `${found} is not declared in ${section}`,
    notClosed: (name: string, section: string) => `{${name} in ${section} is not closed`,
    scaleName: (found: string, section: string) =>
      `${found} is not filled in by the slider of ${section}`,
    condition: (name: string, section: string) =>
      `Fragment condition ${name} is not declared in ${section}`,
    unused: (name: string, section: string) => `{${name}} of ${section} is never used`,
    unset: (name: string) => `Argument ${name} has no value`,
    setArgument: (name: string) => `Set ${name}`,
    textLooped: (expression: string) =>
      `${expression} is a text, and its loop goes over the letters`,
    makeList: (name: string) => `Make ${name} a list`,
    unfilled: (name: string, section: string) => `${name} of ${section} has no value`,
    gap: (name: string, section: string) =>
      `${name} of ${section} has no value and leaves a gap in the prompt`,
    placeholder: (name: string, section: string) =>
      `${name} of ${section} has only its own name as value: the prompt prints {${name}}`,
    unknownSection: (name: string) => `There is no section ${name}`,
    unknownField: (token: string) => `No item has the field of ${token}`,
    listInstead: (token: string) => `${token} prints the list: no item has that field`,
    listAgain: (token: string, item: string) => `${token} prints the list of ${item} again`,
    unpaired: (token: string) => `A bracket in ${token} is not closed or not opened`,
    malformed: (token: string) => `${token} is not a valid entry`,
    pool: (token: string) => `${token} prints no list`,
    noMatch: (token: string) => `No item can match ${token}`,
    notRendered: (section: string) => `No entry prints ${section}`,
    notInAssembly: (field: string, section: string) =>
      field === 'fragments'
        ? `Fragments of ${section} print nowhere`
        : `${field} of ${section} prints nowhere`,
    sliderNotInAssembly: (section: string) => `The slider of ${section} prints nowhere`,
    duplicate: (name: string) => `Two items are named ${name}`,
    nameless: (section: string) => `An item of ${section} has no id or name`,
    modeWithoutList: (field: string) => `No item has a list in ${field}`,
    modeOutOfRange: (mode: string) => `${mode} is out of range`,
    injectionsRequired: 'runtime_injections is required',
    includeAlias: (name: string) => `${name} is an alias, not a section`,
    noSection: (name: string) => `There is no section ${name}`,
    noTarget: (name: string) => `There is no ${name}`,
    contradiction: (name: string) => `Conflicting requirement: ${name}`,
    legacy: (name: string) => `${name} is a deprecated field name`,
    pattern: (reason: string) => `Pattern does not compile: ${reason}`,
    unknownSetting: (field: string) => `${field} is not a known field`,
    wrongType: (field: string) => `${field} has the wrong type`,
    replaceVariable: (name: string) => `Replace with {${name}}`,
    declare: (name: string) => `Declare ${name}`,
    keepBraces: (found: string) => `Print ${found} as text`,
    removeVariable: (name: string) => `Remove ${name}`,
    removeToken: 'Remove entry',
    removeEntry: 'Remove entry',
    removePattern: 'Remove pattern',
    removeMode: 'Remove mode',
    write: (name: string) => `Change to ${name}`,
    renameTo: (name: string) => `Rename to ${name}`,
    nameIt: (name: string) => `Name it ${name}`,
    addToken: (name: string) => `Add entry ${name}`,
  },
  problemCounts: (counts: Record<Severity, number>) =>
    [
      counts.error > 0 ? plural(counts.error, 'error') : '',
      counts.warning > 0 ? plural(counts.warning, 'warning') : '',
      counts.note > 0 ? plural(counts.note, 'note') : '',
    ]
      .filter(Boolean)
      .join(', '),
  /** Follows the place. */
  problemLine: (line: number | null, column: number | null) =>
    line === null ? '' : `, ${line}:${column ?? 1}`,
  /** Follows the place: the other orders with the same entry. */
  problemAlso: (routes: (string | null)[]) =>
    `, also in ${routes.map((route) => (route === null ? 'the assembly order' : `route ${route}`)).join(', ')}`,
  severity: { error: 'Error', warning: 'Warning', note: 'Note' },
} as const;
