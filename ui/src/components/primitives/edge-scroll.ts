// Scrolls while a drag is held near the upper or lower edge of what scrolls, or beyond it.

/** A drag of a row this near to an edge, in pixels, scrolls, and by at most so many pixels a frame. */
const EDGE = 40;
const FASTEST = 16;

/**
 * Scrolls while `pointer`, which gives the height of the pointer in the window, is nearer to an edge than `edge`
 * pixels or beyond it, and calls `scrolled` after each step. Gives what ends that.
 */
export function scrollAtEdges(
  scroller: Element,
  pointer: () => number,
  scrolled: () => void,
  edge = EDGE,
): () => void {
  let frame = 0;
  const step = () => {
    frame = requestAnimationFrame(step);
    const y = pointer();
    const box = scroller.getBoundingClientRect();
    const by = Math.max(y - box.bottom + edge, 0) - Math.max(box.top + edge - y, 0);
    if (by === 0) return;
    scroller.scrollTop += Math.sign(by) * Math.min(Math.ceil(Math.abs(by) / 3), FASTEST);
    scrolled();
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
