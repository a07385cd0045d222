// The marks of what was gone to: its field, and the words in it. A textarea marks no words of its own,
// so those of the copy behind it are (see TextUnderlay.svelte).
import { scrollTo } from './scroll-to';
import { pointAt } from './text-offsets';

/** Where the words are in the text of a field, in UTF-16 units. */
interface Span {
  start: number;
  end: number;
}

/** Marks what was gone to and the words in it, scrolled into sight, and nothing else. */
export function markFound(element?: HTMLElement, words?: Span): void {
  for (const before of document.querySelectorAll<HTMLElement>('[data-found]')) {
    delete before.dataset.found;
  }
  for (const before of document.querySelectorAll('.found-words')) before.remove();
  const holder = element?.parentElement;
  if (!element || !holder) return;
  const drawn = element.matches('[contenteditable]')
    ? element
    : holder.querySelector<HTMLElement>('.underlay');
  const range = drawn && words ? rangeIn(drawn, words) : undefined;
  // A field's own background would be as strong as the mark of the words.
  element.dataset.found = range ? 'words' : '';
  if (!range) return;
  show(range);
  // Boxes of our own: WebKitGTK 2.50 paints a custom highlight over the whole text node.
  const frame = holder.getBoundingClientRect();
  for (const { top, left, width, height } of range.getClientRects()) {
    const mark = document.createElement('span');
    mark.className = 'found-words';
    mark.style.top = `${top - frame.top - holder.clientTop + holder.scrollTop}px`;
    mark.style.left = `${left - frame.left - holder.clientLeft + holder.scrollLeft}px`;
    mark.style.width = `${width}px`;
    mark.style.height = `${height}px`;
    holder.append(mark);
  }
}

/** The range of some words in the text of an element. */
function rangeIn(element: HTMLElement, { start, end }: Span): Range {
  const range = document.createRange();
  range.setStart(...pointAt(element, start));
  range.setEnd(...pointAt(element, end));
  return range;
}

/** Scrolls everything that scrolls around a range as little as brings it into sight. */
function show(range: Range): void {
  const { commonAncestorContainer: around } = range;
  for (
    let holder = around instanceof HTMLElement ? around : around.parentElement;
    holder;
    holder = holder.parentElement
  ) {
    const scrolls = /auto|scroll/.test(getComputedStyle(holder).overflowY);
    if (scrolls) scrollTo(holder, range.getBoundingClientRect());
  }
}
