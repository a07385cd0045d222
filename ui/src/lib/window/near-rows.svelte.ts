// Which rows of a long list have a content: those near the view, and those that the keyboard reaches next.
// Every row keeps its element, its name and its height, so that finding, dragging, going to a place and
// reading the list aloud work as in a short one. A row out of sight takes exactly the height it had; one
// that was never drawn takes a guess, and when it is drawn, what is in view stays where it is.
import { flushSync } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Attachment } from 'svelte/attachments';

/** Lists of up to so many rows are drawn whole. */
const LONG = 30;
/** Rows are drawn when they come this near, in heights of the view, and left out beyond the second. */
const DRAWN_WITHIN = 1;
const KEPT_WITHIN = 2;
/** The drawn rows are kept in so many sets, neighbours in the same one: a change of a set updates all of its
 *  rows, which took seconds with 100,000 rows in a single set. */
const SETS = 256;
/** So often rows turn out shorter than guessed before the rest waits for the next frame. */
const PASSES = 8;

export class NearRows {
  readonly #drawn = Array.from({ length: SETS }, () => new SvelteSet<string>());
  /** The elements of the rows that are drawn. */
  readonly #elements = new Map<string, HTMLElement>();
  readonly #heights = new Map<string, number>();
  /** Whether nothing can be measured, as where nothing is laid out; not known before it is asked. */
  #blind = $state<boolean>();
  #goneTo: string | undefined;
  #list: HTMLElement | undefined;
  #scroller: HTMLElement | undefined;
  readonly #stays: boolean;

  /** Rows that stay keep their content after they were drawn once, and with it what is selected there. */
  constructor({ stays = false } = {}) {
    this.#stays = stays;
  }

  /** Whether a row of a list of so many has a content. */
  draws(key: string, count: number): boolean {
    return count <= LONG || this.#blind === true || this.#setOf(key).has(key);
  }

  /** The height a row had when it was drawn last, in pixels. */
  heightOf(key: string): number | undefined {
    return this.#heights.get(key);
  }

  /** Draws a row that is about to be gone to, wherever it is, until another one is. */
  draw(key: string): void {
    this.#goneTo = key;
    this.#setOf(key).add(key);
  }

  /** Scrolls to where the list was left; what lies above is measured, so that it is the same place. */
  restore(top: number): void {
    const [scroller, list] = [this.#scroller, this.#list];
    if (!scroller || !list) return;
    for (;;) {
      scroller.scrollTop = top;
      const end = scroller.getBoundingClientRect().bottom;
      const guessed = [...list.querySelectorAll<HTMLElement>(':scope > [data-guessed]')].filter(
        (row) => row.getBoundingClientRect().top < end,
      );
      if (top === 0 || guessed.length === 0) break;
      for (const row of guessed) this.#add(row);
      flushSync();
    }
    this.#update();
  }

  /** Follows a list, whose rows are its children with `data-near`, within what scrolls it. */
  readonly follow: Attachment<HTMLElement> = (list) => {
    const scroller = list.closest<HTMLElement>('.scroll');
    if (!scroller) return undefined;
    this.#list = list;
    this.#scroller = scroller;
    this.#blind = undefined;
    const update = () => this.#update();
    // The focus may be moved while Svelte is at work, as when a dialog goes: to draw rows there and then
    // would leave the rest of its work undone.
    const updateSoon = () => queueMicrotask(update);
    // A short list is drawn whole: which rows are near is noted once it was laid out, not before.
    const updateLong = () => {
      if (list.children.length > LONG) update();
    };
    const sizes = new ResizeObserver(update);
    sizes.observe(scroller);
    sizes.observe(list);
    const rows = new MutationObserver(updateLong);
    rows.observe(list, { childList: true });
    scroller.addEventListener('scroll', update);
    list.addEventListener('focusin', updateSoon);
    if (list.children.length > LONG) this.#blind = scroller.clientHeight === 0;
    queueMicrotask(updateLong);
    return () => {
      sizes.disconnect();
      rows.disconnect();
      scroller.removeEventListener('scroll', update);
      list.removeEventListener('focusin', updateSoon);
      if (this.#list !== list) return;
      this.#list = undefined;
      this.#scroller = undefined;
      for (const keys of this.#drawn) keys.clear();
      this.#elements.clear();
    };
  };

  #update(): void {
    this.#blind ??= this.#scroller?.clientHeight === 0;
    for (let pass = 0; pass < PASSES; pass += 1) if (!this.#pass()) return;
  }

  /** Draws what came near and leaves out what is far away. False when there is nothing to do. */
  #pass(): boolean {
    const [scroller, list] = [this.#scroller, this.#list];
    if (!scroller || !list || this.#blind) return false;
    const rows = list.children;
    const { top, bottom, height } = scroller.getBoundingClientRect();
    const reached = this.#reached(list);
    const near = [...reached].filter((row) => !this.#isDrawn(row));
    const from = firstBelow(rows, top - DRAWN_WITHIN * height);
    for (let at = from; at < rows.length; at += 1) {
      const row = rows[at] as HTMLElement;
      if (row.getBoundingClientRect().top > bottom + DRAWN_WITHIN * height) break;
      if (row.dataset.near !== undefined && !this.#isDrawn(row)) near.push(row);
    }
    const far: string[] = [];
    for (const [key, row] of this.#elements) {
      const box = row.getBoundingClientRect();
      const away = Math.max(top - box.bottom, box.top - bottom);
      if (!row.isConnected || row.dataset.near !== key) far.push(key);
      else if (!this.#stays && away > KEPT_WITHIN * height && !reached.has(row)) {
        this.#heights.set(key, box.height);
        far.push(key);
      }
    }
    if (near.length === 0 && far.length === 0) return false;
    const still = this.#anchor(rows, top, bottom);
    const before = still?.getBoundingClientRect().top ?? 0;
    for (const row of near) this.#add(row);
    for (const key of far) {
      this.#setOf(key).delete(key);
      this.#elements.delete(key);
    }
    flushSync();
    const moved = (still?.getBoundingClientRect().top ?? 0) - before;
    if (moved !== 0) scroller.scrollTop += moved;
    return near.length > 0;
  }

  #add(row: HTMLElement): void {
    const key = row.dataset.near ?? '';
    this.#setOf(key).add(key);
    this.#elements.set(key, row);
  }

  /** The set of the keys that begin alike, such as the numbers 1200 to 1299. */
  #setOf(key: string): SvelteSet<string> {
    let hash = 0;
    for (const character of key.slice(0, -2)) hash = (hash * 31 + character.charCodeAt(0)) % SETS;
    return this.#drawn[hash] as SvelteSet<string>;
  }

  #isDrawn(row: HTMLElement): boolean {
    return this.#elements.get(row.dataset.near ?? '') === row;
  }

  /** What stays drawn wherever it is: where the keyboard is and gets to next, and what was gone to. */
  #reached(list: HTMLElement): Set<HTMLElement> {
    const gone = CSS.escape(this.#goneTo ?? '');
    const focused = [...this.#elements.values()].find((row) =>
      row.contains(document.activeElement),
    );
    const found = [
      beside(list.firstElementChild, 1),
      beside(list.lastElementChild, -1),
      list.querySelector(`:scope > [data-near="${gone}"]`),
      ...(focused ? [focused] : []),
      beside(focused?.previousElementSibling, -1),
      beside(focused?.nextElementSibling, 1),
    ];
    return new Set(found.filter((row) => row instanceof HTMLElement));
  }

  /** What may not move in the view: what has the focus, else the first that was drawn before. */
  #anchor(rows: HTMLCollection, top: number, bottom: number): Element | undefined {
    const seen: Element[] = [];
    for (let at = firstBelow(rows, top); at < rows.length; at += 1) {
      const row = rows[at];
      if (!row || row.getBoundingClientRect().top > bottom) break;
      seen.push(row);
    }
    return (
      seen.find((row) => row.contains(document.activeElement)) ??
      seen.find((row) => this.#isDrawn(row as HTMLElement)) ??
      seen[0]
    );
  }
}

/** The row at a place of the list, or the first after it in a direction. */
function beside(from: Element | null | undefined, by: 1 | -1): Element | null {
  let row = from ?? null;
  while (row && !row.matches('[data-near]')) {
    row = by > 0 ? row.nextElementSibling : row.previousElementSibling;
  }
  return row;
}

/** The index of the first row that reaches below a line; rows stand one below the other. */
function firstBelow(rows: HTMLCollection, line: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > line) high = middle;
    else low = middle + 1;
  }
  return low;
}
