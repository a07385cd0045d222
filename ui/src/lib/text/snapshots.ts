// The words of the panel of snapshots.
import { clock, figure, plural } from './figures';

export const snapshots = {
  snapshotCount: (count: number) => `${figure(count)} in this registry`,
  findSnapshot: 'Find a snapshot',
  takeSnapshot: 'Take snapshot',
  noSnapshot: 'No snapshot',
  pinnedHead: 'Pinned, Ctrl 1 to 9',
  recentHead: 'Recent',
  takenByItself: 'Automatic',
  pin: 'Pin',
  unpin: 'Unpin',
  rename: 'Rename',
  snapshotName: 'Name of the snapshot',
  snapshotNote: 'Note',
  addNote: 'Add a note',
  noteWords: 'What is worth knowing about it',
  taken: 'Taken',
  target: 'Target',
  comparedWithNow: 'Compared with now',
  settingsDiffer: (settings: number, words: number) =>
    `${plural(settings, 'setting')}, ${plural(words, 'word')}`,
  nothingDiffers: 'Nothing differs from now.',
  openInCompare: 'Open in Compare',
  compareTitle: 'Compare',
  switchTo: 'Switch',
  switchKeeps: 'Switching is a step that Undo takes back.',
  setting: 'Setting',
  snapshot: 'Snapshot',
  now: 'Now',
  snapshotTaken: (name: string) => `Snapshot ${name} taken.`,
  switchedTo: (name: string) => `Switched to ${name}.`,
  noSnapshotOn: (key: number) => `No snapshot is pinned to ${key}.`,
  noFreeKey: 'All nine keys are taken; unpin a snapshot first.',
  snapshotDeleted: (name: string) => `Snapshot ${name} deleted.`,
  noSnapshots: 'No snapshots of this registry',
  noSnapshotsDetail: 'A snapshot keeps the registry, what is selected, the route and the seed.',
  noSnapshotFound: (words: string) => `No snapshot has ${words} in its name or note`,
  damagedSnapshots: (count: number) =>
    `${plural(count, 'snapshot')} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,
  loadMore: 'Load more',
  day: (at: number, now: number) => {
    const then = new Date(at);
    const today = then.toDateString() === new Date(now).toDateString();
    const day = then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    return `${today ? 'Today' : day} ${clock(at)}`;
  },

  takeHint: 'Take snapshot (Ctrl+Shift+S)',
  keepName: 'Keep',
  size: 'Size',
  snapshotSeed: (seed: number) => `seed ${seed}`,
} as const;
