// Where the focus was before a layer was opened: a dialog, a panel. It goes back there with the layer.

/** What lies above the window and gives the focus back when it goes. */
const LAYER = 'dialog, [data-layer]';

/** Where the focus was before a layer. One that follows another goes back to the same. */
const origins = new WeakMap<Element, HTMLElement>();

/** Whether the focus of an element is there for a while only. */
export const isOnLayer = (element: Element | null): boolean => element?.closest(LAYER) != null;

/** What has the focus; of what is in a dialog, where that one was opened from. */
function originOf(active: Element | null): HTMLElement | undefined {
  const dialog = active?.closest('dialog');
  if (dialog) return origins.get(dialog);
  return active instanceof HTMLElement && active !== document.body ? active : undefined;
}

/** Notes where the focus is before a layer takes it; gives what puts it back, or elsewhere if that is gone. */
export function focusOrigin(layer: Element, otherwise: () => void): () => void {
  const before = originOf(document.activeElement);
  if (before) origins.set(layer, before);
  return () => {
    const active = document.activeElement;
    if (active !== document.body && !layer.contains(active)) return;
    if (before?.isConnected) before.focus({ preventScroll: true });
    else otherwise();
  };
}
