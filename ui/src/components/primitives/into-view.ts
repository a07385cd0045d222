// Scrolls what appears into view, no further than needed.
import type { Attachment } from 'svelte/attachments';

export const intoView: Attachment<HTMLElement> = (element) => {
  element.scrollIntoView({ block: 'nearest' });
};

/**
 * Scrolls as little as brings an element into sight within what scrolls it. `scrollIntoView` knows only
 * the first line of an inline element that holds blocks.
 */
export function scrollNearest(element: HTMLElement): void {
  const scroller = element.closest('.scroll');
  if (!scroller) return;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const [above, below] = [box.top - view.top, box.bottom - view.bottom];
  if (above * below <= 0) return;
  scroller.scrollTop += Math.abs(above) < Math.abs(below) ? above : below;
}
