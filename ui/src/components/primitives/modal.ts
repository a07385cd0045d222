// Shows a dialog above everything else; when it goes, however it went, the focus is where it was.
import type { Attachment } from 'svelte/attachments';

export const modal: Attachment<HTMLDialogElement> = (dialog) => {
  const before = document.activeElement;
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  return () => {
    // A browser sees to it itself only when the dialog is closed before it is taken away.
    const lost =
      document.activeElement === document.body || dialog.contains(document.activeElement);
    if (lost && before instanceof HTMLElement) before.focus();
  };
};
