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

/** The index of a row after it was dropped at `y`. `middleOf` gives the middle of a row, and is called for as
 *  many rows as a binary search visits. */
function dropIndex(
  count: number,
  middleOf: (index: number) => number,
  from: number,
  y: number,
): number {
  let [low, high] = [0, count];
  while (low < high) {
    const at = (low + high) >> 1;
    if (middleOf(at) < y) low = at + 1;
    else high = at;
  }
  return Math.max(0, Math.min(low > from ? low - 1 : low, count - 1));
}

const isRow = (child: Element): child is HTMLElement =>
  child instanceof HTMLElement && child.hasAttribute('data-order');

const rowsOf = (list: Element): HTMLElement[] => [...list.children].filter(isRow);

/** The row that something in a list stands in. */
function rowAround(list: Element, inside: Element): HTMLElement | undefined {
  let row: Element | null = inside;
  while (row && row.parentElement !== list) row = row.parentElement;
  return row && isRow(row) ? row : undefined;
}

/** Where a row begins in its list, wherever it is drawn. */
function topIn(list: HTMLElement, row: HTMLElement): number {
  return row.offsetTop - (row.offsetParent === list ? 0 : list.offsetTop);
}

/** A height of the window as one in a list: it may scroll under the pointer, and rows that come into sight get
 *  their height only then. */
const inList = (list: HTMLElement, y: number): number =>
  y - list.getBoundingClientRect().top + list.scrollTop;

/** A row under the pointer; the others make room where it would be dropped, since it covers that place itself. */
class LiftedRow {
  readonly from: number;
  /** The index it has if it is dropped now. */
  to: number;
  readonly #list: HTMLElement;
  readonly #row: HTMLElement;
  readonly #rows: HTMLElement[];
  /** Where it was taken, below its top. */
  readonly #grabbed: number;
  readonly #line = document.createElement('div');
  readonly #stopScrolling: () => void;
  #pointer = 0;

  constructor(list: HTMLElement, row: HTMLElement, grabbed: number) {
    this.#list = list;
    this.#row = row;
    this.#rows = rowsOf(list);
    this.#grabbed = grabbed;
    this.from = this.to = this.#rows.indexOf(row);
    row.dataset.dragging = '';
    this.#line.className = 'drop-line';
    list.append(this.#line);
    addEventListener('scroll', this.#place, true);
    const scroller = list.closest<HTMLElement>('.scroll');
    this.#stopScrolling = scroller
      ? scrollAtEdges(scroller, () => this.#pointer, this.#place)
      : () => {};
  }

  follow(y: number): void {
    this.#pointer = y;
    this.#place();
  }

  release(): void {
    this.#stopScrolling();
    removeEventListener('scroll', this.#place, true);
    delete this.#row.dataset.dragging;
    this.#row.style.translate = '';
    this.#shift(0);
    this.#line.remove();
  }

  readonly #place = () => {
    const { top, height } = this.#box(this.from);
    const last = this.#box(this.#rows.length - 1);
    const y = inList(this.#list, this.#pointer);
    // Within the list, which would grow by what is drawn behind its end.
    const end = last.top + last.height;
    const by = Math.max(Math.min(y - this.#grabbed, end - height), this.#box(0).top) - top;
    const middleOf = (index: number) => {
      const box = this.#box(index);
      return box.top + box.height / 2;
    };
    const to = dropIndex(this.#rows.length, middleOf, this.from, y);
    const target = this.#box(to);
    const room = height + this.#gap();
    // All is measured before anything is moved: to measure in between would lay the list out each time.
    this.#row.style.translate = `0 ${by}px`;
    if (to !== this.to) this.#shift(0);
    this.to = to;
    this.#shift(room);
    const line = to > this.from ? target.top + target.height - height : target.top;
    this.#line.style.top = `${line}px`;
  };

  /** Moves the rows between the place of the row and the one it would be dropped at. */
  #shift(room: number): void {
    const { from, to } = this;
    for (const row of this.#rows.slice(from + 1, to + 1)) row.style.translate = shiftOf(-room);
    for (const row of this.#rows.slice(to, from)) row.style.translate = shiftOf(room);
  }

  #box(index: number): { top: number; height: number } {
    const row = this.#rows[index];
    return row ? { top: topIn(this.#list, row), height: row.offsetHeight } : { top: 0, height: 0 };
  }

  /** What lies between two rows. */
  #gap(): number {
    if (this.#rows.length < 2) return 0;
    const first = this.#box(0);
    return this.#box(1).top - first.top - first.height;
  }
}

const shiftOf = (by: number): string => (by === 0 ? '' : `0 ${by}px`);

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
      const row = rowAround(list, event.target as Element);
      if (!row) return;
      const from = rows.indexOf(row);
      event.preventDefault();
      event.stopPropagation();
      const to = from + (event.key === 'ArrowUp' ? -1 : 1);
      if (to >= 0 && to < rows.length) void move(from, to);
    }

    function begin(event: MouseEvent): Drag | undefined {
      const grip = (event.target as Element).closest<HTMLElement>('[data-grip], [data-drag]');
      if (!grip || grip.closest('[data-list]') !== list) return undefined;
      const row = rowAround(list, grip);
      if (!row) return undefined;
      // A press that may become a drag focuses no button by itself.
      if (grip.matches('[data-drag]')) grip.focus({ preventScroll: true });
      const grabbed = inList(list, event.clientY) - topIn(list, row);
      let lifted: LiftedRow | undefined;
      return {
        move({ clientY }) {
          if (!lifted && Math.abs(clientY - event.clientY) < THRESHOLD) return;
          lifted ??= new LiftedRow(list, row, grabbed);
          lifted.follow(clientY);
        },
        end(dropped) {
          if (!lifted) return;
          const { from, to } = lifted;
          lifted.release();
          if (dropped && to !== from) void move(from, to);
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
