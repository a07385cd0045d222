// Conflicts between the window and a file on disk.
import type { Conflict } from '../ipc';

/** Whether deciding writes the file: there is nothing in it to choose from. */
export function writesAtOnce(conflict: Conflict | null): boolean {
  return conflict?.disk === 'damaged' || conflict?.disk === 'deleted';
}
