// Shows a dialog above everything else; when it goes, however it went, the focus is where it was.
import type { Attachment } from 'svelte/attachments';
import { enterColumn } from '$lib/window/columns';

/** What had the focus before a dialog was opened. One that follows another goes back to the same. */
const origins = new WeakMap<Element, HTMLElement>();

/** Where the focus was before; what was in a dialog leads to where that one was opened from. */
function originOf(active: Element | null): HTMLElement | undefined {
  const dialog = active?.closest('dialog');
  if (dialog) return origins.get(dialog);
  return active instanceof HTMLElement && active !== document.body ? active : undefined;
}

/** Whether another dialog is open, which then has the focus. */
const others = (dialog: Element): boolean =>
  [...document.querySelectorAll('dialog[open]')].some((each) => each !== dialog);

export const modal: Attachment<HTMLDialogElement> = (dialog) => {
  const before = originOf(document.activeElement);
  if (before) origins.set(dialog, before);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  return () => {
    // A browser sees to it itself only when the dialog is closed before it is taken away.
    const active = document.activeElement;
    if (active !== document.body && !dialog.contains(active)) return;
    // What it was opened from may be gone: an import opens another document.
    if (before?.isConnected) before.focus();
    else if (!others(dialog)) enterColumn('deck');
  };
};
