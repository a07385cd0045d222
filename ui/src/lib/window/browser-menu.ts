// Where the browser's own context menu is of use: for text alone, to cut, copy, paste and correct it.

import { EDITABLE } from './text-field';

/** Whether a key asks for a context menu. */
export const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Whether a text can be edited there; an editor in a shadow root shows as its host. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const inner = target.shadowRoot?.activeElement ?? target;
  return inner.closest(EDITABLE) !== null;
}

/** Whether selected text is there. */
function isSelected(target: EventTarget | null): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !(target instanceof Node)) return false;
  return selection.getRangeAt(0).intersectsNode(target);
}

/** Whether a context menu that is asked for there is the browser's. */
export const hasBrowserMenu = (target: EventTarget | null): boolean =>
  isEditable(target) || isSelected(target);
