// The field that is edited, and what lies over it.
import { EDITABLE } from './text-field';

/** What may move or change the field: whatever moves the focus, scrolls or grows. */
const MOVES = ['focusin', 'focusout', 'scroll', 'input'];

/** The part in sight of the field that has the caret. */
function editedBox(root: Document): DOMRect | undefined {
  const field = root.activeElement;
  // An editor in a shadow root shows as its host.
  if (!field || !(field.matches(EDITABLE) || field.shadowRoot)) return undefined;
  const box = field.getBoundingClientRect();
  const frame = field.closest('.scroll')?.getBoundingClientRect();
  if (!frame) return box;
  const top = Math.max(box.top, frame.top);
  return new DOMRect(box.left, top, box.width, Math.min(box.bottom, frame.bottom) - top);
}

/** Whether an element lies over the field that is edited. */
export function isOverEdited(element: Element): boolean {
  const edited = editedBox(element.ownerDocument);
  if (!edited) return false;
  const box = element.getBoundingClientRect();
  return (
    box.left < edited.right &&
    edited.left < box.right &&
    box.top < edited.bottom &&
    edited.top < box.bottom
  );
}

/** Calls back, once a frame at most, when another field is edited or it may have moved. */
export function onEditedMove(root: Document, moved: () => void): () => void {
  let frame = 0;
  const look = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      moved();
    });
  };
  for (const kind of MOVES) root.addEventListener(kind, look, true);
  addEventListener('resize', look);
  return () => {
    cancelAnimationFrame(frame);
    for (const kind of MOVES) root.removeEventListener(kind, look, true);
    removeEventListener('resize', look);
  };
}
