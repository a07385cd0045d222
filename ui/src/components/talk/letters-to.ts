// What is typed while a button of the conversation has the focus, as after a press, is written where the
// author writes next: the spaces between the words would press the button.
import type { Attachment } from 'svelte/attachments';
import { EDITABLE } from '$lib/window/text-field';

/** What takes letters itself: a field, and a menu, where they choose a row. */
const TAKES_LETTERS = `${EDITABLE}, [popover], dialog`;

/** Calls `focus` before a letter arrives that nothing in the element takes. */
export function lettersTo(focus: () => void): Attachment<HTMLElement> {
  return (element) => {
    const keydown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey;
      if (!isLetter || event.defaultPrevented) return;
      if (target instanceof Element && !target.closest(TAKES_LETTERS)) focus();
    };
    element.addEventListener('keydown', keydown);
    return () => element.removeEventListener('keydown', keydown);
  };
}
