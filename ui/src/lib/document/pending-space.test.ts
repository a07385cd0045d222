import { expect, test } from 'vitest';
import { leftPending } from './pending-space';

/** "One" with two spaces that wait behind it. */
const pending = { at: 3, text: '  ' };

test.each([
  ['to the letters before it', { start: 1, end: 1 }, { start: 1, end: 1 }],
  ['out of it, from its middle', { start: 2, end: 4 }, { start: 2, end: 3 }],
  ['out of it, from its end', { start: 2, end: 5 }, { start: 2, end: 3 }],
  ['around it', { start: 1, end: 7 }, { start: 1, end: 5 }],
  ['from its middle to behind it', { start: 4, end: 7 }, { start: 3, end: 5 }],
  ['behind it', { start: 6, end: 8 }, { start: 4, end: 6 }],
])('a selection %s is in the text without the space', (_, selection, left) => {
  expect(leftPending(pending, selection)).toEqual(left);
});

test('a selection that is made backward goes on backward', () => {
  const selection = { start: 2, end: 4, backward: true };
  expect(leftPending(pending, selection)).toEqual({ start: 2, end: 3, backward: true });
});

test('within the space it waits on', () => {
  expect(leftPending(pending, { start: 3, end: 5 })).toBeUndefined();
});
