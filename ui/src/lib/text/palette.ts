// The words of the command palette and the sheet of keys.
import { plural } from './figures';

export const palette = {
  help: 'Keys',
  save: 'Save',
  rollAll: 'Roll every unlocked value',
  useLastSeed: 'Use the last seed',
  lockAllValues: 'Lock all rolled values',
  freezes: (count: number) => `freezes ${count}`,
  revert: 'Go back to the file',
  reverted: (file: string) => `Back to what ${file} holds.`,
  showTab: (tab: string) => `Show ${tab}`,
  openRegistry: (title: string) => `Open ${title}`,
  switchToNamed: (name: string) => `Switch to ${name}`,
  compareWithNow: (name: string) => `Compare ${name} with now`,
  useRoute: (route: string) => `Use route ${route}`,
  results: (count: number) => plural(count, 'result'),
  resultsLabel: 'Results',
  actionGroups: {
    actions: 'Actions',
    places: 'Sections and items',
    snapshots: 'Snapshots',
    routes: 'Routes',
  },
  paletteMove: 'move',
  paletteRun: 'run',
  paletteClose: 'close',
  palettePrefixes: '> actions   @ sections   # snapshots',
  otherKeys: [
    { label: 'Switch to a pinned snapshot', keys: ['Ctrl+1', 'Ctrl+9'] },
    { label: 'Move a row', keys: ['Alt+↑', 'Alt+↓'] },
    { label: 'Edit a token', keys: ['F2'] },
    { label: 'Remove a token', keys: ['Del'] },
    { label: 'Close', keys: ['Esc'] },
  ],
} as const;
