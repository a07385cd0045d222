// The controls of Find and of Replace: what is found is marked while one of them has the focus, and Esc on
// any of them ends the search.
import { onDestroy } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { FindState } from '$lib/state/find.svelte';

export function findControls(find: () => FindState, close: () => void): Attachment<HTMLElement> {
  onDestroy(() => find().leaveBar());
  return (bar) => {
    const isWithin = ({ relatedTarget }: FocusEvent) =>
      relatedTarget instanceof Node && bar.contains(relatedTarget);
    const enter = (event: FocusEvent) => {
      const { relatedTarget: from } = event;
      if (!isWithin(event)) find().enter(from instanceof Element ? from : null);
    };
    const leave = (event: FocusEvent) => {
      if (!isWithin(event)) find().leaveBar();
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      close();
    };
    bar.addEventListener('focusin', enter);
    bar.addEventListener('focusout', leave);
    bar.addEventListener('keydown', press);
    return () => {
      bar.removeEventListener('focusin', enter);
      bar.removeEventListener('focusout', leave);
      bar.removeEventListener('keydown', press);
    };
  };
}
