/** Scrolls as little as brings a box into sight. */
export function scrollTo(scroller: Element, box: DOMRect): void {
  const view = scroller.getBoundingClientRect();
  const [above, below] = [box.top - view.top, box.bottom - view.bottom];
  if (above * below <= 0) return;
  scroller.scrollTop += Math.abs(above) < Math.abs(below) ? above : below;
}
