// The marks of what was gone to: its field, and the words in it. A textarea marks no words of its own,
// so those of the copy behind it are (see TextUnderlay.svelte).

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
  const drawn = element.matches('[contenteditable]') ? element : holder.querySelector('.underlay');
  const range = words && rangeIn(drawn, words);
  // A field's own background would be as strong as the mark of the words.
  element.dataset.found = range ? 'words' : '';
  if (!range) return;
  scrollTo(range);
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

/** The range of some words in the text of an element, over the pieces it is made of. */
function rangeIn(element: Element | null | undefined, { start, end }: Span): Range | undefined {
  if (!element) return undefined;
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before = 0;
  let begun = false;
  while (walker.nextNode()) {
    const piece = walker.currentNode as globalThis.Text;
    const after = before + piece.length;
    if (!begun && start < after) {
      range.setStart(piece, start - before);
      begun = true;
    }
    if (begun && end <= after) {
      range.setEnd(piece, end - before);
      return range;
    }
    before = after;
  }
  return undefined;
}

/** Scrolls everything that scrolls around a range so that it is in its middle, where it is not in sight. */
function scrollTo(range: Range): void {
  let holder = range.startContainer.parentElement;
  while (holder) {
    const scrolls = /auto|scroll/.test(getComputedStyle(holder).overflowY);
    if (scrolls && holder.scrollHeight > holder.clientHeight) {
      const [words, frame] = [range.getBoundingClientRect(), holder.getBoundingClientRect()];
      const inSight = words.top >= frame.top && words.bottom <= frame.bottom;
      if (!inSight) holder.scrollTop += words.top - frame.top - frame.height / 2;
    }
    holder = holder.parentElement;
  }
}
