// The words of the assembly column and its problems.
import type { Severity } from '../ipc';
import { plural } from './figures';

export const assembly = {
  assembly: 'Assembly',
  assemblyOrder: 'Assembly order',
  tokenCount: (count: number) => plural(count, 'token'),
  tokensHead: 'tokens',
  addToken: 'Add token',
  removeToken: 'Remove token',
  editToken: 'Edit token',
  editTokenLabel: (token: string) => `Edit token ${token}`,
  // No section's actions are called so: a token may have the name of its section alone.
  tokenActions: (token: string) => `Actions of token ${token}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  tokenState: {
    rendered: 'rendered',
    merged: 'merged into the list above',
    dropped: 'dropped',
    filtered: 'filtered',
  },
  merged: 'merged into the list above',
  dropped: (reason: string) => `dropped: ${reason}`,
  filteredTokens: (count: number) => `${plural(count, 'token')} filtered by `,
  completionKind: {
    section: 'section',
    field: 'field',
    array: 'array',
    scale: 'scale sentence',
    item: 'item',
    look_up: 'look up',
  },
  emptyAssembly: 'No tokens in the assembly',
  emptyAssemblyDetail: 'Add a token to say what is rendered, and in which order.',

  problems: 'Problems',
  noProblems: 'No problems found.',
  moreProblems: (count: number) => `Show more of ${count}`,
  lintPending: 'Looking for problems.',
  problem: {
    undeclared: (name: string, section: string) => `{${name}} is not declared in ${section}`,
    condition: (name: string, section: string) =>
      `A fragment depends on ${name}, not declared in ${section}`,
    unused: (name: string, section: string) => `{${name}} of ${section} is never used`,
    unfilled: (name: string, section: string) => `${name} of ${section} has no value`,
    unknownSection: (name: string) => `There is no section ${name}`,
    unknownField: (token: string) => `No item has what ${token} asks for`,
    unpaired: (token: string) => `A bracket of ${token} has no pair`,
    malformed: (token: string) => `${token} can't be read as a token`,
    pool: (token: string) => `${token} prints no list`,
    noMatch: (token: string) => `${token} can match no item`,
    notRendered: (section: string) => `No token renders ${section}`,
    duplicate: (name: string) => `Two items are called ${name}`,
    nameless: (section: string) => `An item of ${section} is never reached`,
    modeWithoutList: (field: string) => `No item has a list ${field}`,
    modeOutOfRange: (mode: string) => `${mode} is beyond every list`,
    injectionsRequired: 'runtime_injections is required',
    includeAlias: (name: string) => `${name} is an alias, not a section`,
    noSection: (name: string) => `There is no section ${name}`,
    noTarget: (name: string) => `There is no ${name}`,
    contradiction: (name: string) => `${name} is required and can't be had`,
    legacy: (name: string) => `${name} is an old spelling`,
    pattern: (reason: string) => `Pattern does not compile: ${reason}`,
    unknownSetting: (field: string) => `${field} is no known field`,
    wrongType: (field: string) => `${field} can't be read`,
    replaceVariable: (name: string) => `Replace with {${name}}`,
    declare: (name: string) => `Declare ${name}`,
    removeVariable: (name: string) => `Remove ${name}`,
    removeToken: 'Remove token',
    removeEntry: 'Remove entry',
    removePattern: 'Remove pattern',
    removeMode: 'Remove mode',
    write: (name: string) => `Write ${name}`,
    renameTo: (name: string) => `Rename to ${name}`,
    nameIt: (name: string) => `Name it ${name}`,
    addToken: (name: string) => `Add token ${name}`,
  },
  problemCounts: (counts: Record<Severity, number>) =>
    [
      counts.error > 0 ? plural(counts.error, 'error') : '',
      counts.warning > 0 ? plural(counts.warning, 'warning') : '',
      counts.note > 0 ? plural(counts.note, 'note') : '',
    ]
      .filter(Boolean)
      .join(', '),
  /** Follows the words for the place. */
  problemLine: (line: number | null, column: number | null) =>
    line === null ? '' : `, ${line}:${column ?? 1}`,
  /** Follows the place: the other orders that have the same token. */
  problemAlso: (routes: (string | null)[]) =>
    `, also in ${routes.map((route) => (route === null ? 'the assembly order' : `route ${route}`)).join(', ')}`,
  severity: { error: 'Error', warning: 'Warning', note: 'Note' },
} as const;
