// What a button opens: whether it is open, its anchor, and the keys of the rows in it.
import { rove, TypeAhead } from './roving';

export class PopupState {
  open = $state(false);
  anchor = $state<HTMLButtonElement>();

  #search = new TypeAhead();

  toggle = (): void => {
    this.open = !this.open;
  };

  /** Closes it; the focus is where it was opened from again. */
  close = (): void => {
    this.open = false;
    this.anchor?.focus();
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
    else if (event.key === 'Tab') this.close();
  }
}
