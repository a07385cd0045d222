/** Scrolls as little as brings a box into sight. */
export function scrollTo(scroller: Element, box: DOMRect): void {
  const view = scroller.getBoundingClientRect();
  const [above, below] = [box.top - view.top, box.bottom - view.bottom];
  if (above * below <= 0) return;
  scroller.scrollTop += Math.abs(above) < Math.abs(below) ? above : below;
}

/** Scrolls as little as brings a caret into sight, in both directions. */
export function scrollToCaret(scroller: Element, box: DOMRect): void {
  scrollTo(scroller, box);
  const view = scroller.getBoundingClientRect();
  if (box.left < view.left) scroller.scrollLeft += box.left - view.left;
  else if (box.right > view.right) scroller.scrollLeft += box.right - view.right;
}

/** Scrolls everything that scrolls around a range as little as brings it into sight. */
export function showRange(range: Range): void {
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
