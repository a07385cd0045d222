// Lets the rows of a list be moved: by dragging the part marked `data-grip`, or a button marked
// `data-drag`, which a press without a movement clicks; or with Alt and the up and down arrows. Rows are
// the children marked `data-order`. A drag to an edge of what scrolls the list scrolls it, as the wheel
// does meanwhile. It moves nothing itself; the caller changes the list, and the focus follows the row.
import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { draggable, THRESHOLD, type Drag } from './drag';
import { scrollAtEdges } from './edge-scroll';

/** Called with the index of a row before and after the move. */
export type Moved = (from: number, to: number) => void;

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

/** Where a row begins in its list, wherever it is drawn. */
function topIn(list: HTMLElement, row: HTMLElement): number {
  return row.offsetTop - (row.offsetParent === list ? 0 : list.offsetTop);
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
      const grip = (event.target as Element).closest<HTMLElement>('[data-grip], [data-drag]');
      if (!grip || grip.closest('[data-list]') !== list) return undefined;
      const rows = rowsOf(list);
      const from = rows.findIndex((row) => row.contains(grip));
      const row = rows[from];
      if (!row) return undefined;
      // A press that may become a drag focuses no button by itself.
      if (grip.matches('[data-drag]')) grip.focus({ preventScroll: true });
      const scroller = list.closest<HTMLElement>('.scroll');
      const line = document.createElement('div');
      line.className = 'drop-line';
      // Places are those in the list: it may scroll under the pointer, and rows that come into sight
      // get their height only then.
      const inList = (y: number) => y - list.getBoundingClientRect().top + list.scrollTop;
      const grabbed = inList(event.clientY) - topIn(list, row);
      let pointer = event.clientY;
      let to = from;
      let dragging = false;
      let stopScrolling = () => {};

      const place = () => {
        const boxes = rows.map((each) => ({ top: topIn(list, each), height: each.offsetHeight }));
        const [first, second] = boxes;
        const between = first && second ? second.top - first.top - first.height : 0;
        const { top, height } = boxes[from] ?? { top: 0, height: 0 };
        const room = height + between;
        const last = boxes.at(-1);
        const end = last ? last.top + last.height : 0;
        const y = inList(pointer);
        // Within the list, which would grow by what is drawn behind its end.
        const by = Math.max(Math.min(y - grabbed, end - height), first?.top ?? 0) - top;
        row.style.translate = `0 ${by}px`;
        to = dropIndex(
          boxes.map((box) => box.top + box.height / 2),
          from,
          y,
        );
        // The others make room where it would be dropped, since it covers that place itself.
        rows.forEach((each, index) => {
          if (index === from) return;
          const up = index > from && index <= to;
          const down = index < from && index >= to;
          each.style.translate = up ? `0 ${-room}px` : down ? `0 ${room}px` : '';
        });
        const box = boxes[to];
        if (box) line.style.top = `${to > from ? box.top + box.height - height : box.top}px`;
      };

      return {
        move(at) {
          pointer = at.clientY;
          if (!dragging && Math.abs(pointer - event.clientY) < THRESHOLD) return;
          if (!dragging) {
            dragging = true;
            row.dataset.dragging = '';
            list.append(line);
            addEventListener('scroll', place, true);
            if (scroller) stopScrolling = scrollAtEdges(scroller, () => pointer, place);
          }
          place();
        },
        end(dropped) {
          stopScrolling();
          removeEventListener('scroll', place, true);
          delete row.dataset.dragging;
          for (const each of rows) each.style.translate = '';
          line.remove();
          if (dragging && dropped && to !== from) void move(from, to);
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
