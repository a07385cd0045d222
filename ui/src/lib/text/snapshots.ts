// The words of the panel of snapshots.
import { formatClock, formatTime, formatNumber, plural } from './number-format';

export const snapshots = {
  snapshotCount: (count: number) => `${formatNumber(count)} in this registry`,
  findSnapshot: 'Find a snapshot',
  takeSnapshot: 'Take snapshot',
  noSnapshot: 'No snapshot',
  pinnedHead: 'Pinned, Ctrl 1 to 9',
  recentHead: 'Recent',
  automatic: 'Automatic',
  pin: 'Pin',
  unpin: 'Unpin',
  rename: 'Rename',
  snapshotName: 'Snapshot name',
  snapshotNote: 'Note',
  addNote: 'Add a note',
  notePlaceholder: 'Note about this snapshot',
  taken: 'Taken',
  target: 'Target',
  comparedWithNow: 'Compared with now',
  settingsDiffer: (settings: number, words: number) =>
    `${plural(settings, 'setting')}, ${plural(words, 'word')}`,
  nothingDiffers: 'No differences from now.',
  onlyTextDiffers: 'No setting differs; Compare shows the text that does.',
  openInCompare: 'Open in Compare',
  compareTitle: 'Compare',
  switchTo: 'Switch',
  switchKeeps: 'Undo reverts the switch.',
  setting: 'Setting',
  snapshot: 'Snapshot',
  now: 'Now',
  snapshotTaken: (name: string) => `Took snapshot “${name}”.`,
  switchedTo: (name: string) => `Switched to “${name}”.`,
  noSnapshotOn: (key: number) => `No snapshot is pinned to key ${key}.`,
  noFreeKey: 'All nine keys are taken; unpin a snapshot first.',
  snapshotDeleted: (name: string) => `Deleted snapshot “${name}”.`,
  noSnapshots: 'No snapshots of this registry',
  noSnapshotsDetail: 'A snapshot stores the registry, the selection, the route and the seed.',
  noSnapshotFound: (words: string) => `No snapshot matches “${words}”`,
  damagedSnapshots: (count: number) =>
    `${plural(count, 'snapshot')} could not be read and ${count === 1 ? 'is' : 'are'} not listed.`,
  loadMore: 'Load more',
  day: (at: number, now: number) => {
    const then = new Date(at);
    const today = then.toDateString() === new Date(now).toDateString();
    const day = then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    return `${today ? 'Today' : day} ${formatTime(at)}`;
  },

  takeHint: 'Take snapshot (Ctrl+Shift+S)',
  saveNote: 'Save',
  size: 'Size',
  takenWith: (at: number, seed: number) => `at ${formatClock(at)}, seed ${seed}`,
} as const;
