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
  const near: Part[] = [];
  for (let at = 0; at < parts.length;) {
    // An unchanged stretch is cut as one text: it may come from several sections, and a line break
    // between two of them from none.
    let end = at;
    while (parts[end]?.kind === 'same') end += 1;
    if (end > at) near.push(...nearParts(parts.slice(at, end), at > 0, end < parts.length));
    near.push(...parts.slice(end, end + 1));
    at = end + 1;
  }
  return near;
}

/** The lines at the ends of an unchanged stretch that lie beside a change. */
function nearParts(stretch: Part[], isAfter: boolean, isBefore: boolean): Part[] {
  const text = stretch.map((part) => part.text).join('');
  const lines = text.split('\n');
  const first = isAfter ? lines.slice(0, AROUND + 1) : [];
  const last = isBefore ? lines.slice(-AROUND - 1) : [];
  if (first.length + last.length >= lines.length) return stretch;
  const headEnd = first.join('\n').length;
  const tailStart = text.length - last.join('\n').length;
  const gap = isAfter && isBefore ? '\n…\n' : '';
  let start = 0;
  let isGapOpen = true;
  const near = stretch.map((part): Part => {
    const of = (from: number, to: number) =>
      part.text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
    const ends = isGapOpen && headEnd <= start + part.text.length;
    const unchangedText = `${of(0, headEnd)}${ends ? gap : ''}${of(tailStart, text.length)}`;
    if (ends) isGapOpen = false;
    start += part.text.length;
    return { ...part, text: unchangedText };
  });
  return near.filter((part) => part.text !== '');
}
