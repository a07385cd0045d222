// The texts of the window: top bar, status bar, columns, and the message if nothing is open.
import { BUILT_IN_ROUTE } from '../ipc/generated/constants';

export const window = {
  textAt: (line: number) => `The text around line ${line}`,
  product: 'Promptdeck',
  pageFault: (message: string) =>
    `A part of the window failed: ${message}. What you wrote is kept; if something is missing, open the registry again.`,
  unknownFault: 'Unknown error. Try again.',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  olderNotices: (count: number) => `+${count}`,
  retry: 'Retry',

  registry: 'Registry',
  registryTitle: (file: string) => `Registry ${file}`,
  modifiedTitle: 'Modified',
  route: 'Route',
  routePrefix: 'route',
  defaultRoute: BUILT_IN_ROUTE,
  undo: 'Undo',
  undoOf: (what: string) => `Undo: ${what}`,
  redo: 'Redo',
  redoOf: (what: string) => `Redo: ${what}`,
  seed: 'Seed',
  roll: 'Roll',
  lockSeed: 'Lock seed',
  unlockSeed: 'Unlock seed',
  useLast: 'Use last',
  returnToSeed: (seed: number) => `Return to seed ${seed}`,
  seedInvalid: 'A seed is a whole number from 0 to 9,007,199,254,740,991.',
  setSeed: 'Set the seed',
  setRoute: 'Set the route',
  snapshots: 'Snapshots',
  snapshotsOf: (current: string) => `Snapshots: ${current}`,
  snapshotChanged: 'Changed',
  commands: 'Commands',
  commandPalette: 'Command palette',
  themeOf: (theme: string) => `Theme: ${theme}`,
  themeNext: (theme: string, next: string) => `Theme: ${theme}, press for ${next}`,
  useTheme: {
    system: 'Use the theme of the system',
    light: 'Use the light theme',
    dark: 'Use the dark theme',
  },
  themes: { system: 'system', light: 'light', dark: 'dark' },
  export: 'Export',
  modelJson: 'Model JSON',
  json: 'JSON',
  exportCopied: 'Model JSON copied to the clipboard.',
  exportOmits: (keys: string[]) =>
    keys.length === 1
      ? `The value of ${keys.join()} is not part of the export, as callers set it; give it a default to export one.`
      : `The values of ${keys.join(', ')} are not part of the export, as callers set them; give them defaults to export some.`,
  exportedTo: (path: string, copyName: string | null) =>
    copyName === null
      ? `Exported to ${path}.`
      : `Exported to ${path}. What it held is kept beside it as ${copyName}.`,
  exportModel: 'Export Model JSON',
  exportHint: 'Copy the model JSON, or export to a file',
  promptFile: {
    entry: 'Export a prompt file…',
    title: 'Export a prompt file',
    format: 'Format',
    formats: { dotprompt: 'dotprompt', prompty: 'Prompty' },
    withCall: (call: string) => `With the messages of ${call}`,
    withoutCall: 'Without messages: no call document is in use',
    ofSnapshot: 'The prompt of the snapshot, without messages',
    omissions: 'What is not in the file',
    omits: (count: number) =>
      count === 1 ? 'Not in the file: 1 thing' : `Not in the file: ${count} things`,
    saysAll: 'The file says all of the deck.',
    file: 'The file',
    copy: 'Copy',
    save: 'Save to a file…',
    copied: (format: 'dotprompt' | 'prompty') =>
      `${format === 'dotprompt' ? 'dotprompt' : 'Prompty'} file copied to the clipboard.`,
  },
  newRegistry: 'New registry',
  /** Opens the dialog of that name. */
  newRegistryEntry: 'New registry…',
  renameRegistry: 'Edit title and description',
  duplicateRegistry: 'Duplicate this registry',
  exportModelFile: 'Save model JSON to a file…',
  exportModelCopy: 'Copy model JSON',
  columnHandle: (which: string) => `Width of ${which}`,
  preview: 'Preview',

  saved: 'Saved',
  notInFile: 'Not in the file',
  checksModified: 'Checks modified',
  callModified: 'Call document modified',
  bothModified: 'Checks and call document modified',
  modified: 'Modified',
  draftKept: (ago: string) => `Modified, draft saved ${ago}`,
  draftFailed: 'Modified, draft not saved',
  ago: (seconds: number) => {
    if (seconds < 60) return `${Math.max(seconds, 1)} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    return `${Math.floor(seconds / 3600)} h ago`;
  },
  evaluatedIn: (micros: number) => `Evaluated in ${(micros / 1000).toFixed(1)} ms`,
  store: {
    checking: 'Checking the store',
    healthy: 'Store healthy',
    salvaged: 'Store repaired',
    full: 'Store full',
    not_writable: 'Store cannot be written',
    unavailable: 'Store unavailable',
  },
  checkedAt: (time: string) => `checked ${time}`,
  changedOnDisk: 'Changed on disk',
  /** What became of the file, in the status bar. */
  diskLabels: {
    changed: 'Changed on disk',
    deleted: 'Deleted from disk',
    damaged: 'Damaged on disk',
    unreadable: 'Cannot be read on disk',
  },
  callDiskLabels: {
    changed: 'Call changed on disk',
    deleted: 'Call deleted from disk',
    damaged: 'Call damaged on disk',
    unreadable: 'Call cannot be read on disk',
  },
  checksDiskLabels: {
    changed: 'Checks changed on disk',
    deleted: 'Checks deleted from disk',
    damaged: 'Checks damaged on disk',
    unreadable: 'Checks cannot be read on disk',
  },
  draftBack: (when: string, other: string | null) =>
    `Restored your unsaved edits of ${when}.${other === null ? '' : ` What another window had not saved is in Snapshots, as “${other}”.`}`,
  editsLost: (file: string) => `The store was damaged: the last unsaved edits of ${file} are lost.`,
  reloaded: (file: string) => `Reloaded ${file}: it changed on disk.`,
  otherWindowKept: (name: string) =>
    `Another window has unsaved work on this file. It is kept as “${name}”.`,
  savedTo: (file: string, copyName: string | null) =>
    copyName === null
      ? `Saved ${file}.`
      : `Saved ${file}. The damaged file is kept as ${copyName}.`,
  notInTheFile: (parts: string[]) => `Kept in this studio, not in the file: ${parts.join(', ')}.`,
  statePart: {
    selections: 'selections',
    modes: 'modes of lists',
    random: 'Random',
    sliders: 'sliders',
    variables: 'values of variables',
  },
  nothingToSave: (file: string) => `${file} is already up to date.`,

  shownColumn: 'Column',
  nothingOpen: 'No registry is open',
  opening: (name: string) => `Opening ${name}…`,
  emptyFolder: 'No registries in this folder',
  emptyFolderDetail: (folder: string) => `${folder} contains no registry files.`,
} as const;
