// Ctrl+Shift+I, which shows what a save would change. In a debug build Tauri listens for it on the
// document and asks for the developer tools, which the page may not open.

/** Keeps the key from everything but `press`. */
export function keepDeveloperToolsKey(
  target: EventTarget,
  press: (event: KeyboardEvent) => void,
): () => void {
  const keydown = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.code !== 'KeyI') return;
    if (!event.ctrlKey || !event.shiftKey) return;
    event.stopImmediatePropagation();
    press(event);
  };
  target.addEventListener('keydown', keydown, true);
  return () => target.removeEventListener('keydown', keydown, true);
}
