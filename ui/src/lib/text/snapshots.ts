// The words of the panel of snapshots.
import type { SettingPlace, SnapshotChanges } from '../ipc';
import { RESERVED_KEYS } from '../ipc/generated/constants';
import { formatClock, formatDate, formatTime, formatNumber, plural } from './number-format';

/** Which kind of setting a place is: its name where it has no other. */
function kindOf({ section, name }: SettingPlace): 'item' | 'slider' | 'mode' | 'variable' | 'call' {
  if (section === null) return 'call';
  if (name === 'item' || name === 'slider') return name;
  return name.startsWith('{') ? 'variable' : 'mode';
}

/** A setting in words. */
function settingOf(place: SettingPlace): string {
  const { section, name } = place;
  if (section === null) return name;
  switch (kindOf(place)) {
    case 'item':
    case 'slider':
      return `${name} of ${section}`;
    case 'variable':
      return `variable ${name.slice(1, -1)}`;
    default:
      return `mode of ${section} ${name}`;
  }
}

/** A part of the deck in words: a section, or the registry's own as in `assembly_order`. */
const partOf = (key: string): string =>
  RESERVED_KEYS.includes(key) ? key.replaceAll('_', ' ') : `section ${key}`;

/** What was edited and which settings differ, each kind as `one` or `many` says it. */
function partsOf(
  { settings, edited }: SnapshotChanges,
  many: (kind: string, count: number) => string | null,
): string[] {
  const parts: string[] = [];
  const add = (kind: string, words: string[]) => {
    const counted = words.length > 1 ? many(kind, words.length) : null;
    parts.push(...(counted === null ? words : [counted]));
  };
  if (edited === null) parts.push('the deck');
  else add('part', edited.map(partOf));
  for (const kind of ['item', 'slider', 'mode', 'variable'] as const) {
    add(kind, settings.filter((place) => kindOf(place) === kind).map(settingOf));
  }
  parts.push(...settings.filter((place) => kindOf(place) === 'call').map(settingOf));
  return parts;
}

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
  /** The parts of the deck that differ, by the keys of the registry. */
  editedParts: (edited: string[]) => `The deck differs in: ${edited.map(partOf).join(', ')}.`,
  samePrompt: 'Settings and prompt are the same.',
  onlyTextDiffers: 'No setting differs; Compare shows the text that does.',
  openInCompare: 'Open in Compare',
  compareTitle: 'Compare',
  switchTo: 'Switch',
  switchKeeps: 'Undo reverts the switch.',
  setting: 'Setting',
  snapshot: 'Snapshot',
  now: 'Now',
  nowOnRoute: (route: string) => `Now, route ${route}`,
  snapshotTaken: (name: string) => `Took snapshot “${name}”.`,
  switchedTo: (name: string) => `Switched to “${name}”.`,
  noSnapshotOn: (key: number) =>
    `No snapshot is pinned to key ${key}. Pin one in Snapshots (Ctrl+Shift+O).`,
  noFreeKey: 'All nine keys are taken; unpin a snapshot first.',
  snapshotDeleted: (name: string) => `Deleted snapshot “${name}”.`,
  deletedSnapshots: (count: number) => `Deleted (${formatNumber(count)})`,
  noDeletedSnapshots: 'No deleted snapshots. One stays here for 30 days.',
  deletedAt: (at: number, now: number) => `Deleted ${formatDate(at, now)}`,
  deletedStay: 'A deleted snapshot stays here for 30 days.',
  moreDeleted: (count: number) => `${formatNumber(count)} more are not listed.`,
  restoreDeleted: 'Restore a deleted snapshot…',
  restoreSnapshot: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  snapshotRestored: (name: string) => `Restored snapshot “${name}”.`,
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
  changesOf: (changes: SnapshotChanges): string => {
    const parts = partsOf(changes, (kind, count) =>
      kind === 'part' ? `${formatNumber(count)} parts of the deck` : plural(count, kind),
    );
    return parts.length === 0 ? 'Same as the one before' : `Changed: ${parts.join(', ')}`;
  },
  changesTitle: (changes: SnapshotChanges): string => {
    const parts = partsOf(changes, () => null);
    const since = `“${changes.since}”`;
    return parts.length === 0 ? `Same as ${since}` : `Changed from ${since}: ${parts.join(', ')}`;
  },
  takenWith: (at: number, seed: number) => `at ${formatClock(at)}, seed ${seed}`,
} as const;
