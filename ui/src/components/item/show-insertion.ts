// While a button that adds an entry to the assembly order is pointed at or has the focus, the window
// shows what the entry would print.
import type { Attachment } from 'svelte/attachments';
import type { Insertion } from '$lib/document/print-status';
import type { InsertionState } from '$lib/state/insertion.svelte';

export function showInsertion(
  state: InsertionState,
  insertion: Insertion | undefined,
): Attachment<HTMLElement> {
  return (button) => {
    if (!insertion) return undefined;
    const show = () => void state.show(insertion);
    const hide = () => {
      // The focus shows it as well as the pointer does.
      if (!button.matches(':hover, :focus-visible')) state.hide(insertion);
    };
    const began = ['pointerenter', 'focus'];
    const ended = ['pointerleave', 'blur'];
    for (const each of began) button.addEventListener(each, show);
    // The row below may take the place of the one whose entry was added.
    if (button.matches(':hover, :focus-visible')) show();
    for (const each of ended) button.addEventListener(each, hide);
    return () => {
      for (const each of began) button.removeEventListener(each, show);
      for (const each of ended) button.removeEventListener(each, hide);
      // A pressed button goes without the pointer leaving it.
      state.hide(insertion);
    };
  };
}
