// When the work that follows an edit starts: profile, impact, checks.

/**
 * How long after a single edit, in milliseconds: time for the edit itself to be drawn.
 */
export const AFTER_EDIT = 50;

/**
 * The same while edits follow one another, as in typing or rolling: longer than nearly all pauses
 * inside a sentence. A result that is drawn between two keys delays the second.
 */
export const AFTER_EDITS = 250;

/** The times of the last two edits of a document. */
export class EditRhythm {
  #last = -Infinity;
  #before = -Infinity;

  /** Notes an edit. */
  edited(): void {
    this.#before = this.#last;
    this.#last = performance.now();
  }

  /** Whether the edit that was just made followed another one closely. */
  get isContinuous(): boolean {
    const isRecent = performance.now() - this.#last < AFTER_EDITS;
    return isRecent && this.#last - this.#before < AFTER_EDITS;
  }
}

/** Calls `work` a moment after an edit of one of these documents; returns what cancels that. */
export function afterEdit(work: () => void, ...rhythms: EditRhythm[]): () => void {
  const continuous = rhythms.some(({ isContinuous }) => isContinuous);
  const timer = setTimeout(work, continuous ? AFTER_EDITS : AFTER_EDIT);
  return () => clearTimeout(timer);
}
