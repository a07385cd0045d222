// Cutting a prompt into blocks, bands and stretches.
import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { blocksOf, bracedNames, LineNumbers, partsOf } from './blocks';

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

test('a newline that ends a text counts for the blank line after it', () => {
  const bands = (...segments: Segment[]) => blocksOf(segments).map(({ last }) => last);
  // The assembly prints no third newline in a row.
  expect(bands(piece(0, 'a', 'one\n'), glue('\n'), piece(1, 'b', 'two'))).toEqual([true, true]);
  expect(
    bands(
      piece(0, 'a', 'one\n'),
      piece(0, 'a', '', { variable: 'v' }),
      glue('\n'),
      piece(1, 'b', 'x'),
    ),
  ).toEqual([true, true]);
  // It is drawn where the text itself has the blank line.
  expect(bands(piece(0, 'a', 'one\n\n'), piece(1, 'b', 'two'))).toEqual([false, true]);
  expect(bands(piece(0, 'a', 'one\n'), piece(1, 'b', 'two'))).toEqual([false, true]);
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

test('injections at the end are separate blocks', () => {
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

test('of a block that changed, the stretches that did not stay the same objects', () => {
  const one = piece(0, 'a', 'one');
  const gap = piece(0, 'a', '', { field: 'rules', entry: 0, variable: 'v' });
  const three = piece(0, 'a', 'three', { field: 'rules', entry: 1 });
  const before = blocksOf([one, glue('\n- '), gap, glue('\n- '), three]);
  const next = piece(0, 'a', 'one!');
  const after = blocksOf([next, glue('\n- '), gap, glue('\n- '), three], before);
  expect(after[0]!.spots.length).toBeGreaterThan(4);
  expect(after[0]!.spots[0]!.pieces).toEqual([next]);
  expect(after[0]!.spots.slice(1).map((spot, at) => spot === before[0]!.spots[at + 1])).toEqual(
    after[0]!.spots.slice(1).map(() => true),
  );
});

test('text printed by an expression is a separate stretch', () => {
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

test.each([
  ['At {venu}.', [[3, 9]], ['At ', '{venu}', '.']],
  [
    '{a}{b}',
    [
      [0, 3],
      [3, 6],
    ],
    ['{a}', '{b}'],
  ],
  ['plain', [], ['plain']],
] as [string, [number, number][], string[]][])(
  'a piece is cut at its undeclared names: %s',
  (text, ranges, parts) => {
    const undeclared = ranges.map(([start, end]) => ({
      start,
      end,
      closed: true,
      pointer: '/a/items/0/text',
    }));
    const cut = partsOf({ text, undeclared });
    expect(cut.map((part) => part.text)).toEqual(parts);
    expect(cut.flatMap((part) => part.braced?.name ?? [])).toEqual(
      ranges.map(([start, end]) => text.slice(start + 1, end - 1)),
    );
  },
);

test('an expression without a value is a separate stretch, with no place to type beside it', () => {
  const gap = { ...piece(0, 'a', ''), expression: 'args.nam' };
  const drawn = (...segments: Segment[]) =>
    blocksOf(segments)[0]?.spots.map(({ gap, edge, pieces }) =>
      edge ? 'edge' : gap ? `(${gap})` : pieces.map(({ text }) => text).join(''),
    );
  expect(drawn(piece(0, 'a', 'Hi '), gap, piece(0, 'a', '!'))).toEqual(['Hi ', '(args.nam)', '!']);
  expect(drawn(gap, gap)).toEqual(['(args.nam)', '(args.nam)']);
});

test('a stretch knows its undeclared names, whatever piece they are in', () => {
  const mark = { start: 0, end: 3, closed: true, pointer: '/a/items/0/text' };
  const [block] = blocksOf([
    { ...piece(0, 'a', '{x} at '), undeclared: [mark] },
    piece(0, 'a', 'noon', { variable: 'hour' }),
    { ...piece(0, 'a', '{y}'), undeclared: [mark] },
    { ...piece(0, 'a', '{go on'), undeclared: [{ ...mark, closed: false }] },
  ]);
  const [spot] = block?.spots ?? [];
  expect(spot && bracedNames(spot).map(({ name }) => name)).toEqual(['x', 'y', 'go']);
});

test.each([
  ['the first piece', 0, 1],
  ['after line breaks of pieces and of glue', 2, 4],
  ['one that begins with a line break', 3, 5],
])('the line of a piece: %s', (_, index, line) => {
  const segments = [{ text: 'a\nb' }, { text: '\n\n' }, { text: 'c' }, { text: '\nd' }];
  const wanted = segments[index];
  const print = new LineNumbers().find(segments, (each) => each === wanted);
  expect(print).toEqual({ piece: wanted, line });
});

test('a piece that is not there has no line', () => {
  expect(new LineNumbers().find([{ text: 'a' }], () => false)).toBeUndefined();
});

test('lines follow a prompt whose pieces change, come and go', () => {
  const lines = new LineNumbers();
  const last = { text: 'z' };
  const line = (...texts: Segment[]) => lines.find([...texts, last], (each) => each === last)?.line;
  const [a, b] = [{ text: 'a\n' }, { text: 'b\n\n' }];
  expect(line(a, b)).toBe(4);
  expect(line(a, { text: 'b\n' })).toBe(3);
  expect(line(a)).toBe(2);
  expect(line({ text: 'x\n\n' }, a, b)).toBe(6);
  expect(line()).toBe(1);
});

test('beside a variable without a value is a place to type where the text has no letter', () => {
  const gap = (variable: string, more = {}) => piece(0, 'a', '', { variable, ...more });
  const places = (...segments: Segment[]) =>
    blocksOf(segments)[0]?.spots.map(({ gap, edge, pieces }) => {
      if (edge)
        return edge.after
          ? `${edge.variable.source?.variable}>`
          : `<${edge.variable.source?.variable}`;
      return gap ? `(${gap})` : pieces.map(({ text }) => text).join('');
    });
  expect(places(piece(0, 'a', 'At '), gap('v'))).toEqual(['At ', '(v)', 'v>']);
  expect(places(gap('v'), piece(0, 'a', ' now'))).toEqual(['<v', '(v)', ' now']);
  expect(places(piece(0, 'a', 'At '), gap('v'), piece(0, 'a', '.'))).toEqual(['At ', '(v)', '.']);
  expect(places(piece(0, 'a', 'A'), gap('v'), gap('w'), piece(0, 'a', 'B'))).toEqual([
    'A',
    '(v)',
    'v>',
    '(w)',
    'B',
  ]);
  expect(places(gap('v'), glue(' '), gap('w', { fragment: 0 }))).toEqual([
    '<v',
    '(v)',
    'v>',
    ' ',
    '<w',
    '(w)',
    'w>',
  ]);
  const [block] = blocksOf([gap('v')]);
  expect(block?.spots[0]?.source).toEqual(piece(0, 'a', '').source);
});
