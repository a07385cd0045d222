// Where a floating layer goes: under its anchor, or over it when there is more room there, kept
// inside the window. Knows rectangles only.

/** Which edge of the anchor the layer lines up with. */
export type Align = 'start' | 'end';

/** A place of the window, in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The place and the room of a floating layer, in window pixels. */
export interface Placement {
  left: number;
  top: number;
  maxHeight: number;
}

const GAP = 4;
const MARGIN = 8;

/** Places a layer of `width` x `height` beside `anchor` in a window of `viewport`. */
export function place(
  anchor: { left: number; right: number; top: number; bottom: number },
  layer: { width: number; height: number },
  viewport: { width: number; height: number },
  align: Align,
): Placement {
  const below = viewport.height - anchor.bottom - GAP - MARGIN;
  const above = anchor.top - GAP - MARGIN;
  const under = layer.height <= below || below >= above;
  const maxHeight = Math.max(under ? below : above, 0);
  const height = Math.min(layer.height, maxHeight);
  const wanted = align === 'start' ? anchor.left : anchor.right - layer.width;
  const left = Math.max(MARGIN, Math.min(wanted, viewport.width - layer.width - MARGIN));
  return { left, top: under ? anchor.bottom + GAP : anchor.top - GAP - height, maxHeight };
}
