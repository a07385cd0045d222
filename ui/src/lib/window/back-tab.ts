// Shift+Tab after a press. WebKit then searches backwards from the text or the icon that was pressed,
// and first finds the very control that holds it: the focus would never leave it. A control that
// takes the focus anew is searched from itself.

import { isTab } from './tab-key';

const FIELD = 'input, textarea, [contenteditable]';

/** Lets Shift+Tab leave a control that was pressed by the pointer. */
export function freeBackTab(root: Document): () => void {
  let pressed: EventTarget | null = null;
  const press = ({ target }: Event) => (pressed = target);
  const keydown = (event: KeyboardEvent) => {
    if (!isTab(event) || !event.shiftKey) return;
    const { activeElement } = root;
    const within = pressed instanceof Node && activeElement?.contains(pressed);
    pressed = null;
    if (!within || !(activeElement instanceof HTMLElement) || activeElement === root.body) return;
    // Fields and editors in a shadow root keep their caret.
    if (activeElement.matches(FIELD) || activeElement.shadowRoot) return;
    activeElement.blur();
    activeElement.focus({ preventScroll: true });
  };
  root.addEventListener('mousedown', press, true);
  root.addEventListener('keydown', keydown, true);
  return () => {
    root.removeEventListener('mousedown', press, true);
    root.removeEventListener('keydown', keydown, true);
  };
}
