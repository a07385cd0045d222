// Selected words that are dragged within a field drawn in chunks. WebKit would delete and insert them in two
// steps, the second at an offset that the first may have changed or not. Between fields it does both, and
// with Ctrl held it copies.
import type { TextRange } from '../document/replacement';
import { offsetOf, selectionIn } from './text-offsets';

/** The listeners of such a field; `move` is called with the range that is moved and where it goes. */
export function textDrag(move: (from: TextRange, to: number) => void) {
  let from: TextRange | undefined;
  return {
    ondragstart: ({ currentTarget }: DragEvent) => {
      from = selectionIn(currentTarget as HTMLElement);
    },
    ondrop: (event: DragEvent) => {
      const field = event.currentTarget as HTMLElement;
      const point = document.caretRangeFromPoint(event.clientX, event.clientY);
      if (!from || event.ctrlKey || !point || !field.contains(point.startContainer)) return;
      event.preventDefault();
      move(from, offsetOf(field, point.startContainer, point.startOffset));
    },
    ondragend: () => {
      from = undefined;
    },
  };
}
