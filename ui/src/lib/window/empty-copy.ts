// Copying nothing leaves the clipboard as it is. WebKit empties it where a press between texts selected
// a range without letters, and once it has sent the event of a copy nothing can keep it from that.
import { EDITABLE } from './text-field';

/** Ends a key that would copy or cut while nothing is selected; gives what ends that. */
export function keepClipboard(root: Document): () => void {
  const keydown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!/^[cx]$/i.test(key) || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    const { activeElement } = root;
    // Fields and editors in a shadow root know their own selection.
    if (activeElement?.matches(EDITABLE) || activeElement?.shadowRoot) return;
    if ((root.getSelection()?.toString() ?? '').trim() === '') event.preventDefault();
  };
  root.addEventListener('keydown', keydown, true);
  return () => root.removeEventListener('keydown', keydown, true);
}
