// The changes of a comparison one after the other: what was removed and what was added in its place
// are one change.
import type { Part } from '../ipc';

/** A stretch with the number of the change it begins or continues; unchanged ones have none. */
export interface NumberedPart extends Part {
  change?: number;
}

/** The stretches of a difference, changes numbered from 0. */
export function numberChanges(parts: Part[]): { parts: NumberedPart[]; changes: number } {
  let changes = 0;
  let open: Part | undefined;
  const numbered = parts.map((part): NumberedPart => {
    if (part.kind === 'same') {
      open = undefined;
      return part;
    }
    // What goes on in the same way comes from another source; an addition belongs to the removal
    // straight before it.
    const goesOn = open?.kind === part.kind || (open?.kind === 'removed' && part.kind === 'added');
    if (!goesOn) changes += 1;
    open = part;
    return { ...part, change: changes - 1 };
  });
  return { parts: numbered, changes };
}
