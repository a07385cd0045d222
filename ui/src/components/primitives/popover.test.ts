// The placing of floating layers as a table.
import { expect, test } from 'vitest';
import { place } from './popover';

const viewport = { width: 1000, height: 600 };
const box = (left: number, top: number, width = 100, height = 28) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test.each([
  ['under its anchor', box(10, 10), { width: 200, height: 100 }, 'start', { left: 10, top: 42 }],
  ['at the end edge', box(500, 10), { width: 200, height: 100 }, 'end', { left: 400, top: 42 }],
  ['over it when low', box(10, 560), { width: 200, height: 100 }, 'start', { left: 10, top: 456 }],
  ['inside on the right', box(950, 10), { width: 200, height: 9 }, 'start', { left: 792, top: 42 }],
  ['inside on the left', box(0, 10, 20), { width: 200, height: 9 }, 'end', { left: 8, top: 42 }],
] as const)('a layer goes %s', (_name, anchor, layer, align, expected) => {
  expect(place(anchor, layer, viewport, align)).toMatchObject(expected);
});

test('a layer taller than the room scrolls inside it', () => {
  expect(place(box(10, 100), { width: 200, height: 5000 }, viewport, 'start').maxHeight).toBe(460);
});
