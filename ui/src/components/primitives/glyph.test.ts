import dice from '@lucide/icons/icons/dice-5';
import plus from '@lucide/icons/icons/plus';
import x from '@lucide/icons/icons/x';
import { expect, test } from 'vitest';

import { glyphOf } from './glyph';

const drawn = (...node: [string, Record<string, string>][]) => glyphOf({ node, size: 24 });

test('strokes are joined to one path', () => {
  expect(glyphOf(plus)).toEqual({ lines: 'M5 12h14M12 5v14', pips: '' });
});

test('a relative beginning counts from the corner, whatever was drawn before', () => {
  expect(glyphOf(x).lines).toBe('M18 6 6 18M0 0m6 6 12 12');
});

test('the pips of a die are separate strokes, a single dot is not', () => {
  const { lines, pips } = glyphOf(dice);
  expect(lines).toBe(
    'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z',
  );
  expect(pips.match(/h\.01/g)).toHaveLength(5);
  expect(drawn(['path', { d: 'M12 16h.01' }])).toEqual({ lines: 'M12 16h.01', pips: '' });
});

test.each([
  ['line', { x1: '8', x2: '16', y1: '21', y2: '20' }, 'M8 21L16 20'],
  ['polyline', { points: '1 2 3 4' }, 'M1 2 3 4'],
  ['polygon', { points: '1 2 3 4 5 6' }, 'M1 2 3 4 5 6z'],
  ['circle', { cx: '12', cy: '13', r: '3' }, 'M9 13a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z'],
  ['ellipse', { cx: '12', cy: '5', rx: '9', ry: '3' }, 'M3 5a9 3 0 1 0 18 0a9 3 0 1 0 -18 0z'],
  ['rect', { width: '4', height: '3', x: '1', y: '2' }, 'M1 2h4v3h-4v-3z'],
])('a %s', (shape, attributes, path) => {
  expect(drawn([shape, attributes]).lines).toBe(path);
});

test('an unsupported shape is an error, not an empty icon', () => {
  expect(() => drawn(['text', {}])).toThrow('<text>');
});
