// The wheel zooms while Ctrl is held.

/** Calls `zoom` for each turn of the wheel with Ctrl, which scrolls nothing then; gives what ends that. */
export function zoomByWheel(root: Document, zoom: (step: 1 | -1) => void): () => void {
  const turn = (event: WheelEvent) => {
    if (!event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1 : -1);
  };
  // Browsers take a listener of the document for one that never prevents.
  root.addEventListener('wheel', turn, { passive: false, capture: true });
  return () => root.removeEventListener('wheel', turn, { capture: true });
}
