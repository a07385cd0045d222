// Lets the registries of the list be dragged to a sub-folder, or to the folder itself. It moves
// nothing: the caller draws what is dragged, and moves what is dropped.
import type { Attachment } from 'svelte/attachments';
import { folderOf } from '$lib/state/files.svelte';
import { draggable, THRESHOLD, type Drag } from '../primitives/drag';
import { scrollAtEdges } from '../primitives/edge-scroll';

/** A registry that is dragged. */
export interface FileDrag {
  file: string;
  /** The sub-folder it would be moved to, empty for the folder itself; null if it would stay. */
  to: string | null;
  /** Where the pointer is in the window. */
  x: number;
  y: number;
}

/** The folder of the row at a place, or the folder itself where the list has no row. */
function folderAt(list: Element, x: number, y: number): string | null {
  const under = document.elementFromPoint(x, y);
  if (!under || !list.contains(under)) return null;
  const row = under.closest<HTMLElement>('[role=row]');
  return row?.dataset.folder ?? folderOf(row?.dataset.file ?? '');
}

/** Calls `dragged` at each step of a drag and with null at its end, `dropped` before that. */
export const dragToFolder =
  (
    dragged: (drag: FileDrag | null) => void,
    dropped: (file: string, folder: string) => void,
  ): Attachment<HTMLElement> =>
  (list) =>
    draggable(list, (press): Drag | undefined => {
      const target = press.target as Element;
      const row = target.closest<HTMLElement>('[data-file]');
      const file = row?.dataset.file;
      if (!row || file === undefined || target.closest('button, input, [popover]'))
        return undefined;
      // The press does not focus the row.
      row.focus({ preventScroll: true });
      let { clientX: x, clientY: y } = press;
      let to: string | null = null;
      let dragging = false;
      let stopScrolling = () => {};

      const place = () => {
        const under = folderAt(list, x, y);
        to = under === folderOf(file) ? null : under;
        dragged({ file, to, x, y });
      };

      return {
        move(at) {
          ({ clientX: x, clientY: y } = at);
          if (!dragging && Math.hypot(x - press.clientX, y - press.clientY) < THRESHOLD) return;
          if (!dragging) {
            dragging = true;
            stopScrolling = scrollAtEdges(list, () => y, place);
          }
          place();
        },
        end(isDrop) {
          stopScrolling();
          if (isDrop && to !== null) dropped(file, to);
          if (dragging) dragged(null);
        },
      };
    });
