// Marks what is found while the focus is in an element of Find.
import { onDestroy } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { FindState } from '$lib/state/find.svelte';

export function marksWhileFocused(find: () => FindState): Attachment<HTMLElement> {
  onDestroy(() => find().leaveBar());
  return (bar) => {
    const enter = () => find().enter();
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && bar.contains(relatedTarget))) find().leaveBar();
    };
    bar.addEventListener('focusin', enter);
    bar.addEventListener('focusout', leave);
    return () => {
      bar.removeEventListener('focusin', enter);
      bar.removeEventListener('focusout', leave);
    };
  };
}
