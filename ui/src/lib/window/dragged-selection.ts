// The selection of a field while its words are dragged elsewhere. WebKitGTK goes on selecting under the
// pointer, and at the drop deletes what is selected then instead of what was dragged.
import { isPlain } from './text-field';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Restores the selection that is dragged before the browser deletes it; returns what stops that. */
export function keepDraggedSelection(root: Document): () => void {
  let dragged: { field: Field; start: number; end: number } | undefined;
  const begin = (event: DragEvent) => {
    const [field] = event.composedPath();
    dragged = undefined;
    if (!isPlain(field)) return;
    const { selectionStart: start, selectionEnd: end } = field;
    if (start !== null && end !== null) dragged = { field, start, end };
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
