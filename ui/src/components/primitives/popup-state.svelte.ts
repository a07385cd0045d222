// What a button or a context menu opens: whether it is open, where, and the keys of the rows in it.
import { isTab } from '$lib/window/tab-key';
import type { Point } from './popover';
import { rove, TypeAhead } from './roving';

export class PopupState {
  open = $state(false);
  anchor = $state<HTMLButtonElement>();
  /** Where it was opened, if not at its anchor. */
  point = $state.raw<Point>();
  /** What had the focus then, and has it again when it closes. */
  from = $state.raw<HTMLElement>();

  #search = new TypeAhead();

  toggle = (): void => {
    this.point = undefined;
    this.from = undefined;
    this.open = !this.open;
  };

  /** Opens it at a place of the window, as the context menu of a row. */
  openAt(point: Point, row: HTMLElement): void {
    const { activeElement: active, body } = document;
    this.point = point;
    this.from =
      active instanceof HTMLElement && active !== body
        ? active
        : (row.querySelector('button') ?? undefined);
    this.open = true;
  }

  /** Closes it; the focus is where it was opened from again. */
  close = (): void => {
    this.open = false;
    (this.from ?? this.anchor)?.focus();
    this.from = undefined;
  };

  /** Moves among the rows. What is in the popup keeps the keys that it takes itself. */
  rows(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const caret = event.target instanceof HTMLInputElement && !event.key.startsWith('Arrow');
    if (!caret && rove(event.currentTarget as HTMLElement, event.key)) event.preventDefault();
  }

  /** The keys of a menu or a list: its rows, what their names begin with, and Tab, which leaves it. */
  list(event: KeyboardEvent): void {
    this.rows(event);
    // With a modifier it is a key of the window and not a letter of a name.
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = event.currentTarget as HTMLElement;
    if (this.#search.press(rows, event.key, event.timeStamp)) event.preventDefault();
    else if (isTab(event)) this.close();
  }
}
