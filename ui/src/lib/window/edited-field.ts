// The fields in which text is typed, and what lies over one.
import { EDITABLE } from './text-field';

/** What may move or change the field: whatever moves the focus, scrolls or grows. */
const MOVES = ['focusin', 'focusout', 'scroll', 'input'];

/** The part of a field in sight. */
function boxInSight(field: Element): DOMRect {
  const box = field.getBoundingClientRect();
  const frame = field.closest('.scroll')?.getBoundingClientRect();
  if (!frame) return box;
  const top = Math.max(box.top, frame.top);
  return new DOMRect(box.left, top, box.width, Math.min(box.bottom, frame.bottom) - top);
}

/** Whether an element lies over a field, with the caret in it or not. */
export function isOverField(element: Element): boolean {
  const { ownerDocument: root } = element;
  const box = element.getBoundingClientRect();
  const fields = [...root.querySelectorAll(EDITABLE)];
  // An editor in a shadow root shows as its host.
  if (root.activeElement?.shadowRoot) fields.push(root.activeElement);
  return fields
    .map(boxInSight)
    .some(
      (field) =>
        field.width > 0 &&
        box.left < field.right &&
        field.left < box.right &&
        box.top < field.bottom &&
        field.top < box.bottom,
    );
}

/** Calls back, once a frame at most, when a field may have come or moved. */
export function onFieldMove(root: Document, moved: () => void): () => void {
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
