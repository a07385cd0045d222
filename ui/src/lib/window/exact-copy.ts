// Copied text to the byte. WebKitGTK puts every no-break space on the clipboard as an ordinary space, also
// in a text that a script gives it: the program then puts the text there itself.
import { isPlain } from './text-field';

export const NO_BREAK_SPACE = '\u00a0';

/** What is selected where an event comes from. */
export function selectedText(event: Event): string {
  const [field] = event.composedPath();
  if (isPlain(field)) {
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  }
  return getSelection()?.toString() ?? '';
}

/** The text that an event of copying or cutting is about. */
const copiedText = (event: ClipboardEvent): string =>
  event.defaultPrevented ? (event.clipboardData?.getData('text/plain') ?? '') : selectedText(event);

/** Has copied text with no-break spaces put on the clipboard; gives what ends that. */
export function keepNoBreakSpaces(root: Document, put: (text: string) => void): () => void {
  const copied = (event: ClipboardEvent) => {
    const text = copiedText(event);
    // Once the browser has put its own there.
    if (text.includes(NO_BREAK_SPACE)) setTimeout(() => put(text));
  };
  root.addEventListener('copy', copied);
  root.addEventListener('cut', copied);
  return () => {
    root.removeEventListener('copy', copied);
    root.removeEventListener('cut', copied);
  };
}
