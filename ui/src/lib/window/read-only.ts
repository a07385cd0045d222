// Texts of the window that are read and not edited; what holds them has `data-read-only`.
import { isEditable } from './browser-menu';

/** What has the focus to scroll a text; controls have other roles. */
const TEXT = ':is(div, h3, p, pre, ul):is(:not([role]), [role="group"], [role="region"])';

/**
 * Whether a text that can't be edited has the focus, so that a key or a paste would be meant for it. What
 * is in the shadow root of an editor shows as its host.
 */
export const isReadOnlyText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.shadowRoot === null &&
  target.closest('[data-read-only]') !== null &&
  target.matches(TEXT);

/** Whether the focus is among such texts, or the caret where nothing has the focus. */
export function isAmongReadOnly(target: EventTarget | null): boolean {
  if (isEditable(target)) return false;
  const at = target === document.body ? getSelection()?.anchorNode : (target as Node | null);
  const element = at instanceof Element ? at : at?.parentElement;
  return element?.closest('[data-read-only]') != null;
}

/** Whether a key writes into a text or deletes in it; a space scrolls. */
export const writes = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  ((key.length === 1 && key !== ' ') || ['Enter', 'Backspace', 'Delete'].includes(key));
