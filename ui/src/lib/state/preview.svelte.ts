// The evaluation shown beside the deck: the prompt in blocks, selection beside use, what became of
// each token, diagnostics and token counts that follow a moment later.
import {
  nextPreview,
  type Counts,
  type DiagnosticNote,
  type Preview,
  type PreviewPatch,
  type SectionEvaluation,
  type Slot,
} from '../ipc';
import { blocksOf, type Block } from './blocks';

export class PreviewState {
  current = $state.raw<Preview | null>(null);
  blocks = $state.raw<Block[]>([]);
  counts = $state.raw<Counts | null>(null);
  diagnostics = $state.raw<DiagnosticNote[]>([]);

  readonly bySection = $derived(
    new Map((this.current?.sections ?? []).map((section) => [section.section, section])),
  );
  readonly rolled = $derived(rolledSlots(this.current?.sections ?? []));

  /** Takes over a preview. False when it does not build on the one shown. */
  take(patch: PreviewPatch): boolean {
    const next = nextPreview(this.current, patch);
    if (!next) return false;
    this.current = next;
    this.blocks = blocksOf(next.segments, this.blocks);
    return true;
  }

  /** The whole prompt, to the byte. */
  get text(): string {
    return (this.current?.segments ?? []).map((segment) => segment.text).join('');
  }

  clear(): void {
    this.current = null;
    this.blocks = [];
    this.counts = null;
    this.diagnostics = [];
  }
}

/** Every value that was rolled, in the order of the sections. */
export function rolledSlots(sections: SectionEvaluation[]): Slot[] {
  const slots: Slot[] = [];
  for (const { section, origin, slider, arrays, filtered_by } of sections) {
    if (filtered_by.length > 0) continue;
    if (origin === 'random') slots.push({ kind: 'item', section });
    if (slider?.origin === 'random') slots.push({ kind: 'slider', section });
    for (const { field, origin: why } of arrays) {
      if (why === 'random') slots.push({ kind: 'array', section, field });
    }
  }
  return slots;
}
