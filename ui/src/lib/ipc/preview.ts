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
  /** Length of the prompt in characters (Unicode scalar values). */
  characters: number;
  /** Time the evaluation took, in microseconds. */
  micros: number;
  /** Why there is no prompt, when there is none. */
  problem: Failure | null;
}

/** The list after `patch`: the very same one when nothing of it changed. */
const patched = <T>(old: T[], { head, middle, tail }: Patch<T>): T[] =>
  middle.length === 0 && head + tail === old.length
    ? old
    : [
        ...old.slice(0, head),
        ...reused(old.slice(head, old.length - tail), middle),
        ...(tail > 0 ? old.slice(-tail) : []),
      ];

/**
 * The middle, with the entries it shares with what it replaces as the very same objects: a roll
 * changes some entries far apart, and all between them come along.
 */
const reused = <T>(replaced: T[], middle: T[]): T[] => {
  if (replaced.length === 0) return middle;
  const known = new Map(replaced.map((entry) => [JSON.stringify(entry), entry]));
  return middle.map((entry) => known.get(JSON.stringify(entry)) ?? entry);
};

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
    characters: patch.characters,
    micros: patch.micros,
    problem: patch.problem,
  };
}
