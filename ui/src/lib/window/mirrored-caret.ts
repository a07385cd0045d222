// The caret of a text that is edited in the prompt, shown in its field on a card. The text
// primitives ask here by the place they edit.
import { getContext, setContext } from 'svelte';

const KEY = Symbol('mirrored caret');

type CaretAt = (anchor: string) => number | undefined;

/** Gives the caret of a place to all text fields below a component. */
export function provideMirroredCaret(caretAt: CaretAt): void {
  setContext(KEY, caretAt);
}

/** Returns the offset of the caret in the text of a place that is edited in the prompt. */
export function useMirroredCaret(): (anchor: string | undefined) => number | undefined {
  const caretAt = getContext<CaretAt | undefined>(KEY);
  return (anchor) => (anchor === undefined ? undefined : caretAt?.(anchor));
}
