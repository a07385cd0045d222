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

/** Unchanged lines shown on each side of a change. */
const AROUND = 1;

/** The changes with the lines around them; what lies further away is left out. */
export function nearChanges(parts: Part[]): Part[] {
  return parts.map((part, index) => {
    if (part.kind !== 'same') return part;
    const lines = part.text.split('\n');
    const after = parts.slice(0, index).some(({ kind }) => kind !== 'same');
    const before = parts.slice(index + 1).some(({ kind }) => kind !== 'same');
    // Another stretch of unchanged text may lie between this one and the change.
    const touches = (other: Part | undefined) => other !== undefined && other.kind !== 'same';
    const first = after && touches(parts[index - 1]) ? lines.slice(0, AROUND + 1) : [];
    const last = before && touches(parts[index + 1]) ? lines.slice(-AROUND - 1) : [];
    if (first.length + last.length >= lines.length) return part;
    const gap = first.length > 0 && last.length > 0 ? ['…'] : [];
    const text = [...first, ...gap, ...last].join('\n');
    return { ...part, text: first.length > 0 && last.length === 0 && before ? `${text}\n` : text };
  });
}
