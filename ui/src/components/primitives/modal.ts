// Shows a dialog above everything else; when it goes, however it went, the focus is where it was.
import type { Attachment } from 'svelte/attachments';
import { enterColumn } from '$lib/window/columns';
import { focusOrigin } from './focus-origin';

/** Whether another dialog is open, which then has the focus. */
const others = (dialog: Element): boolean =>
  [...document.querySelectorAll('dialog[open]')].some((each) => each !== dialog);

export const modal: Attachment<HTMLDialogElement> = (dialog) => {
  // A browser sees to it itself only when the dialog is closed before it is taken away. What it was
  // opened from may be gone: an import opens another document.
  const giveBack = focusOrigin(dialog, () => {
    if (!others(dialog)) enterColumn('deck');
  });
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  return giveBack;
};
