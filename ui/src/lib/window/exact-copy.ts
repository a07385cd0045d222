// Copied text to the byte. WebKitGTK puts every no-break space on the clipboard as an ordinary space, also
// in a text that a script gives it: the program then puts the text there itself.

const NO_BREAK_SPACE = '\u00a0';

/** The text that an event of copying or cutting is about. */
function copiedText(event: ClipboardEvent): string {
  if (event.defaultPrevented) return event.clipboardData?.getData('text/plain') ?? '';
  const [field] = event.composedPath();
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  }
  return getSelection()?.toString() ?? '';
}

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
