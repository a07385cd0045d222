// Cutting a prompt into blocks, bands and stretches.
import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { blocksOf } from './blocks';

const piece = (token: number | null, section: string, text: string, more = {}): Segment => ({
  text,
  source: { token, section, item: 0, item_name: 'i', field: 'text', ...more },
});
const glue = (text: string): Segment => ({ text });
const shape = (segments: Segment[]) =>
  blocksOf(segments).map(({ section, first, last, spots }) => [
    section,
    first,
    last,
    spots.map((spot) => spot.pieces.map((each) => each.text).join('')).join('|'),
  ]);

test('a blank line parts bands, a line break only blocks', () => {
  expect(
    shape([
      piece(0, 'a', 'one'),
      glue('\n'),
      piece(1, 'a', 'two'),
      glue('\n\n'),
      piece(2, 'b', 'three'),
    ]),
  ).toEqual([
    ['a', true, false, 'one'],
    ['a', false, true, 'two'],
    ['b', true, true, 'three'],
  ]);
});

test('a bullet in the glue belongs to the entry after it', () => {
  expect(
    shape([
      piece(0, 'a', 'one'),
      glue('\n- '),
      piece(1, 'a', 'two'),
      glue('\n- '),
      piece(1, 'a', 'x', { entry: 1 }),
    ]),
  ).toEqual([
    ['a', true, false, 'one'],
    ['a', false, true, '- |two|\n- |x'],
  ]);
});

test('pieces of one field are one stretch, a variable within it included', () => {
  const blocks = blocksOf([
    piece(0, 'a', 'at '),
    piece(0, 'a', 'noon', { variable: 'hour' }),
    piece(0, 'a', '.'),
  ]);
  expect(blocks[0]?.spots).toHaveLength(1);
});

test('injections at the end are blocks of their own', () => {
  expect(
    shape([piece(null, 'i', 'x', { item: 0 }), glue('\n\n'), piece(null, 'i', 'y', { item: 1 })]),
  ).toHaveLength(2);
});

test('every text is kept, but for the breaks between blocks', () => {
  const segments = [
    piece(0, 'a', 'x'),
    glue('\n\n'),
    piece(1, 'b', 'y'),
    glue('\n'),
    piece(1, 'b', 'z'),
    glue(' end'),
  ];
  const text = blocksOf(segments).flatMap((block) =>
    block.spots.flatMap((spot) => spot.pieces.map((each) => each.text)),
  );
  expect(text.join('')).toBe('xy\nz end');
});

test('blocks that did not change stay the same objects', () => {
  const before = [piece(0, 'a', 'x'), glue('\n\n'), piece(1, 'b', 'y')];
  const first = blocksOf(before);
  const second = blocksOf([before[0]!, glue('\n\n'), piece(1, 'b', 'changed')], first);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).not.toBe(first[1]);
});

test('what an expression printed is a stretch of its own', () => {
  const [block] = blocksOf([
    piece(0, 'a', 'Hi '),
    { ...piece(0, 'a', 'Bob'), expression: 'args.name' },
    piece(0, 'a', '.'),
  ]);
  expect(block?.spots.map(({ expression }) => expression)).toEqual([
    undefined,
    'args.name',
    undefined,
  ]);
});
