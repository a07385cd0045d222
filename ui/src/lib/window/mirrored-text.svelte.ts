// A text that is edited in the prompt, shown in its field on a card with the caret of the prompt. The
// text primitives ask here by the place they edit.
import { getContext, onDestroy, setContext, untrack } from 'svelte';
import { afterFrame } from '../util/after-frame';

const KEY = Symbol('mirrored text');

type CaretAt = (anchor: string) => number | undefined;

/** What a field shows. */
export interface Mirrored {
  readonly value: string;
  /** Where the caret is while the text is edited in the prompt. */
  readonly caret: number | undefined;
}

/** Gives the caret of a place to all text fields below a component. */
export function provideMirroredCaret(caretAt: CaretAt): void {
  setContext(KEY, caretAt);
}

/**
 * Returns what the field of a place shows. While its text is edited in the prompt, it follows a frame
 * later: WebKit takes a millisecond to give a field another text, for which a key in the prompt would
 * wait.
 */
export function mirrorText(value: () => string, anchor: () => string | undefined): Mirrored {
  const caretAt = getContext<CaretAt | undefined>(KEY);
  const caret = $derived.by(() => {
    const place = anchor();
    return place === undefined ? undefined : caretAt?.(place);
  });
  let late = $state.raw<Mirrored>();
  const visibleText = $derived(caret === undefined ? undefined : late);
  const shownValue = $derived(visibleText ? visibleText.value : value());
  const shownCaret = $derived(visibleText ? visibleText.caret : caret);
  let isWaiting = false;
  let isGone = false;
  onDestroy(() => (isGone = true));

  $effect(() => {
    const now = { value: value(), caret };
    if (caret === undefined) late = undefined;
    else if (untrack(() => late) === undefined) late = now;
    else if (!isWaiting) {
      isWaiting = true;
      afterFrame(() => {
        isWaiting = false;
        if (late && !isGone) late = { value: value(), caret };
      });
    }
  });
  return {
    get value() {
      return shownValue;
    },
    get caret() {
      return shownCaret;
    },
  };
}
