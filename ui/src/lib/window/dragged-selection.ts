// The selected words of a field while they are dragged. WebKitGTK goes on selecting with the pointer, and
// would delete in the field what is selected when they are dropped elsewhere, instead of what was dragged.

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Keeps what is dragged selected in its field; gives what ends that. */
export function keepDraggedSelection(root: Document): () => void {
  let dragged: { field: Field; start: number; end: number } | undefined;
  const begin = (event: DragEvent) => {
    const [field] = event.composedPath();
    const isField = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
    const { selectionStart: start, selectionEnd: end } = isField
      ? field
      : { selectionStart: null, selectionEnd: null };
    dragged = isField && start !== null && end !== null ? { field, start, end } : undefined;
  };
  const drop = () => {
    if (!dragged?.field.isConnected) return;
    const { field, start, end } = dragged;
    if (field.selectionStart !== start || field.selectionEnd !== end)
      field.setSelectionRange(start, end);
  };
  const end = () => (dragged = undefined);
  root.addEventListener('dragstart', begin);
  root.addEventListener('drop', drop, { capture: true });
  root.addEventListener('dragend', end);
  return () => {
    root.removeEventListener('dragstart', begin);
    root.removeEventListener('drop', drop, { capture: true });
    root.removeEventListener('dragend', end);
  };
}
