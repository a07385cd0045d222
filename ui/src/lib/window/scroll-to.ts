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
