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
  tokenActions: (token: string) => `${token} actions`,
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
    item: 'item',
    look_up: 'look up',
  },
  emptyAssembly: 'No tokens in the assembly',
  emptyAssemblyDetail: 'Add a token to say what is rendered, and in which order.',

  problems: 'Problems',
  noProblems: 'No problems found.',
  problemCounts: (counts: Record<Severity, number>) =>
    [
      counts.error > 0 ? plural(counts.error, 'error') : '',
      counts.warning > 0 ? plural(counts.warning, 'warning') : '',
      counts.note > 0 ? plural(counts.note, 'note') : '',
    ]
      .filter(Boolean)
      .join(', '),
  problemPlace: (where: string, line: number | null, column: number | null) =>
    line === null ? where : `${where}, ${line}:${column ?? 1}`,
  severity: { error: 'Error', warning: 'Warning', note: 'Note' },
} as const;
