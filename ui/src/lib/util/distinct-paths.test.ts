import { expect, test } from 'vitest';
import { distinctEnds } from './distinct-paths';

const ends = (...all: [name: string, path: string][]) =>
  distinctEnds(all.map(([name, path]) => ({ name, path })));

test('what has a name of its own needs nothing more', () => {
  expect(ends(['Quiz', '/a/quiz.json'], ['Desk', '/a/desk.json'])).toEqual([undefined, undefined]);
});

test('of one name, the shortest end of the path that no other has', () => {
  expect(ends(['Quiz', '/a/one.json'], ['Quiz', '/a/two.json'])).toEqual(['one.json', 'two.json']);
  expect(ends(['Quiz', '/a/q.json'], ['Desk', '/x'], ['Quiz', '/b/q.json'])).toEqual([
    'a/q.json',
    undefined,
    'b/q.json',
  ]);
  expect(ends(['q', '/a/q'], ['q', '/b/a/q'], ['q', 'C:\\c\\q'])).toEqual(['/a/q', 'b/a/q', 'c/q']);
});

test('the same path twice is one thing', () => {
  expect(ends(['Quiz', '/a/q.json'], ['Quiz', '/a/q.json'])).toEqual([undefined, undefined]);
});
