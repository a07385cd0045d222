// Rebuilds a whole preview from the difference that travels. Unchanged entries stay the same
// objects, so that what is drawn from them need not be drawn again.
import type {
  Failure,
  Patch,
  PreviewPatch,
  SectionEvaluation,
  Segment,
  Slot,
  TokenReport,
  UnprintedText,
} from './generated';

export interface Preview {
  number: number;
  segments: Segment[];
  sections: SectionEvaluation[];
  tokens: TokenReport[];
  /** Texts of the items in use that are not printed. */
  unprinted: UnprintedText[];
  /** The slots that were rolled. */
  rolled: Slot[];
  /** Those of them that cannot be locked. */
  unlockable: Slot[];
  /** Length of the prompt in characters (Unicode scalar values). */
  characters: number;
  /** Time the evaluation took, in microseconds. */
  micros: number;
  /** Why there is no prompt, when there is none. */
  problem: Failure | null;
  /** Why the segments are the template and not what a model gets. */
  unrendered: Failure | null;
}

/** The list after `patch`: the very same one when nothing of it changed. */
function patched<T>(old: T[], { head, middle, unchanged = [], tail }: Patch<T>): T[] {
  if (middle.length === 0 && unchanged.length === 0 && head + tail === old.length) return old;
  const parts: T[][] = [];
  let at = 0;
  for (const { after, from, count } of unchanged) {
    parts.push(middle.slice(at, after), old.slice(from, from + count));
    at = after;
  }
  // Copied in blocks: a prompt has thousands of segments, and a keystroke changes one.
  return old.slice(0, head).concat(...parts, middle.slice(at), old.slice(old.length - tail));
}

/** The preview after `patch`; null if it does not build on `old` and has to be requested as a whole. */
export function nextPreview(old: Preview | null, patch: PreviewPatch): Preview | null {
  if (patch.base !== null && patch.base !== old?.number) return null;
  const base = patch.base === null ? null : old;
  return {
    number: patch.number,
    segments: patched(base?.segments ?? [], patch.segments),
    sections: patched(base?.sections ?? [], patch.sections),
    tokens: patched(base?.tokens ?? [], patch.tokens),
    unprinted: patched(base?.unprinted ?? [], patch.unprinted),
    rolled: patch.rolled,
    unlockable: patch.unlockable ?? [],
    characters: patch.characters,
    micros: patch.micros,
    problem: patch.problem,
    unrendered: patch.unrendered,
  };
}
