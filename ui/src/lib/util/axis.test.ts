import { expect, test } from 'vitest';
import { lines, placeLabels, ticks } from './axis';

test.each([
  [240, 328, 5, [240, 260, 280, 300, 320]],
  [0, 205, 3, [0, 100, 200]],
  [0, 1, 5, [0, 1]],
  [7, 7, 5, [7]],
  [0, 1_000_000, 4, [0, 500_000, 1_000_000]],
])('ticks from %i to %i', (low, high, count, wanted) => {
  expect(ticks(low, high, count)).toEqual(wanted);
});

test('a label that overlaps others goes to the next line, or nowhere', () => {
  const spans = [
    { from: 0, to: 10 },
    { from: 5, to: 15 },
    { from: 8, to: 9 },
    { from: 20, to: 30 },
  ];
  expect(lines(spans, 2)).toEqual([0, 1, undefined, 0]);
});

test('the labels of close marks cover no mark', () => {
  // p5, median and p95 of three narrow bars.
  const marks = [
    { at: 50, length: 43, before: false },
    { at: 97, length: 74, before: false },
    { at: 144, length: 50, before: true },
  ];
  expect(placeLabels(marks, 2, 540)).toEqual([
    { line: 0, before: false },
    { line: 0, before: false },
    // Before it is the mark of the median.
    { line: 1, before: false },
  ]);
  // There is no room behind it.
  expect(placeLabels(marks, 2, 180)[2]).toBeUndefined();
});
