// Rebuilds a whole preview from the difference that travels. Unchanged entries stay the same
// objects, so that what is drawn from them need not be drawn again.
import type {
  Failure,
  Patch,
  PreviewPatch,
  SectionEvaluation,
  Segment,
  TokenReport,
} from './generated';

export interface Preview {
  number: number;
  segments: Segment[];
  sections: SectionEvaluation[];
  tokens: TokenReport[];
  /** Length of the prompt in characters (Unicode scalar values). */
  characters: number;
  /** Time the evaluation took, in microseconds. */
  micros: number;
  /** Why there is no prompt, when there is none. */
  problem: Failure | null;
}

const patched = <T>(old: T[], patch: Patch<T>): T[] => [
  ...old.slice(0, patch.head),
  ...patch.middle,
  ...(patch.tail > 0 ? old.slice(-patch.tail) : []),
];

/** The preview after `patch`; null when it does not build on `old` and has to be asked for anew. */
export function nextPreview(old: Preview | null, patch: PreviewPatch): Preview | null {
  if (patch.base !== null && patch.base !== old?.number) return null;
  const base = patch.base === null ? null : old;
  return {
    number: patch.number,
    segments: patched(base?.segments ?? [], patch.segments),
    sections: patched(base?.sections ?? [], patch.sections),
    tokens: patched(base?.tokens ?? [], patch.tokens),
    characters: patch.characters,
    micros: patch.micros,
    problem: patch.problem,
  };
}
