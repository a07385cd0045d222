// Lets the rows of a list be moved: by dragging the part marked `data-grip`, or with Alt and the up
// and down arrows. Rows are the children marked `data-order`. It moves nothing itself; the caller
// changes the list, and the focus follows the row.
import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { draggable, type Drag } from './drag';

/** Called with the index of a row before and after the move. */
export type Moved = (from: number, to: number) => void;

const THRESHOLD = 4;

/** The index a row has after it was dropped at `y`, given the middles of all rows before. */
export function dropIndex(middles: number[], from: number, y: number): number {
  const before = middles.filter((middle, index) => index !== from && middle < y).length;
  return Math.min(before, middles.length - 1);
}

function rowsOf(list: Element): HTMLElement[] {
  return [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && 'order' in child.dataset,
  );
}

/** Makes the rows of a list movable. */
export function reorder(moved: Moved): Attachment<HTMLElement> {
  return (list) => {
    async function move(from: number, to: number) {
      const row = rowsOf(list)[from];
      const active = document.activeElement;
      const focusables = [...(row?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
      const at = focusables.indexOf(active as HTMLElement);
      const self = active === row;
      moved(from, to);
      await tick();
      const now = rowsOf(list)[to];
      if (self) now?.focus();
      else if (at >= 0) now?.querySelectorAll<HTMLElement>(FOCUSABLE)[at]?.focus();
    }

    function keydown(event: KeyboardEvent) {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      const rows = rowsOf(list);
      const from = rows.findIndex((row) => row.contains(event.target as Node));
      if (from < 0) return;
      event.preventDefault();
      event.stopPropagation();
      const to = from + (event.key === 'ArrowUp' ? -1 : 1);
      if (to >= 0 && to < rows.length) void move(from, to);
    }

    function begin(event: MouseEvent): Drag | undefined {
      const grip = (event.target as Element).closest<HTMLElement>('[data-grip]');
      if (!grip || grip.closest('[data-list]') !== list) return undefined;
      const rows = rowsOf(list);
      const from = rows.findIndex((row) => row.contains(grip));
      const row = rows[from];
      if (!row) return undefined;
      const top = list.getBoundingClientRect().top - list.scrollTop;
      const boxes = rows.map((each) => each.getBoundingClientRect());
      const middles = boxes.map((box) => box.top + box.height / 2);
      const [first, second] = boxes;
      const between = first && second ? second.top - first.bottom : 0;
      const room = (boxes[from]?.height ?? 0) + between;
      const line = document.createElement('div');
      line.className = 'drop-line';
      let to = from;
      let dragging = false;
      return {
        move(at) {
          if (!dragging && Math.abs(at.clientY - event.clientY) < THRESHOLD) return;
          if (!dragging) {
            dragging = true;
            row.dataset.dragging = '';
            list.append(line);
          }
          row.style.translate = `0 ${at.clientY - event.clientY}px`;
          to = dropIndex(middles, from, at.clientY);
          // The others make room where it would be dropped, since it covers that place itself.
          rows.forEach((each, index) => {
            if (index === from) return;
            const up = index > from && index <= to;
            const down = index < from && index >= to;
            each.style.translate = up ? `0 ${-room}px` : down ? `0 ${room}px` : '';
          });
          const box = boxes[to];
          if (box)
            line.style.top = `${(to > from ? box.bottom - room + between : box.top) - top}px`;
        },
        end(dropped) {
          delete row.dataset.dragging;
          for (const each of rows) each.style.translate = '';
          line.remove();
          if (dragging && dropped && to !== from) moved(from, to);
        },
      };
    }

    list.dataset.list = '';
    list.addEventListener('keydown', keydown);
    const stop = draggable(list, begin);
    return () => {
      list.removeEventListener('keydown', keydown);
      stop();
    };
  };
}

const FOCUSABLE = 'button, input, textarea, [tabindex]';
