// Arrow keys over the rows of a menu or list and over choices side by side: where the next step
// leads. Rows are the elements marked `data-row`; disabled ones are passed over.

/** Moves the focus among the rows of `root` as `key` asks. True if it handled the key. */
export function rove(root: HTMLElement, key: string): boolean {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]:not([aria-disabled="true"])')];
  if (rows.length === 0) return false;
  const at = rows.findIndex((row) => row === document.activeElement);
  const last = rows.length - 1;
  const next = {
    ArrowDown: at < last ? at + 1 : 0,
    ArrowUp: at > 0 ? at - 1 : last,
    Home: 0,
    End: last,
    PageDown: Math.min(at + 8, last),
    PageUp: Math.max(at - 8, 0),
  }[key];
  if (next === undefined) return false;
  rows[next]?.focus();
  return true;
}

/** Which of `count` choices side by side a key leads to from the one at `at`; undefined for no key of theirs. */
export function beside(key: string, at: number, count: number): number | undefined {
  return {
    ArrowRight: (at + 1) % count,
    ArrowLeft: (at + count - 1) % count,
    Home: 0,
    End: count - 1,
  }[key];
}

/** Collects typed letters into a search over the rows' texts; a pause starts a new one. */
export class TypeAhead {
  #typed = '';
  #at = 0;

  /** Takes a key at time `now` (milliseconds) and focuses the first row that begins with what was typed. */
  press(root: HTMLElement, key: string, now: number): boolean {
    if (key.length !== 1 || key === ' ') return false;
    this.#typed = now - this.#at > 700 ? key : this.#typed + key;
    this.#at = now;
    const wanted = this.#typed.toLowerCase();
    for (const row of root.querySelectorAll<HTMLElement>('[data-row]')) {
      if ((row.dataset.row || row.textContent.trim()).toLowerCase().startsWith(wanted)) {
        row.focus();
        break;
      }
    }
    return true;
  }
}
