// The names that snapshots get when the author gives none.
import type { SnapshotSummary } from '../ipc';

const NUMBER = / (\(\d+\))$/;

/** Whether a snapshot is named by what was chosen, alone or with the number that tells it apart. */
export function isNamedByGlance({ name, glance }: SnapshotSummary): boolean {
  return name === glance || name === `${glance} ${numberOf(name)}`;
}

/** The number that tells a name from an equal one, in parentheses; empty without. */
export const numberOf = (name: string): string => NUMBER.exec(name)?.[1] ?? '';
