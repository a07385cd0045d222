// Offsets in a stretch of the prompt: which piece they are in, and where a caret of the prompt is.
import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { blocksOf } from './blocks';
import { caretIn, isEditable, passage, pieceRange, spotAtCaret, spotText } from './open-spot';

const source = (more = {}) => ({
  token: 0,
  section: 'a',
  item: 0,
  item_name: 'x',
  field: 'text',
  ...more,
});
const entry = (index: number, text: string): Segment[] => [
  { text: '- ', source: source({ token: 1, field: 'items', entry: index }), bullet: true },
  ...(text === '' ? [] : [{ text, source: source({ token: 1, field: 'items', entry: index }) }]),
];
const fixed = { code: 'prompt_slider', message: 'made by the slider' };

const segments: Segment[] = [
  { text: 'At ', source: source() },
  { text: 'sea', source: source({ variable: 'place' }) },
  { text: '.', source: source() },
  { text: '\n\n' },
  ...entry(0, 'Go.'),
  { text: '\n' },
  ...entry(1, ''),
];
const blocks = blocksOf(segments);
const spots = blocks.flatMap((block) => block.spots).filter((spot) => spot.source);

test('what is typed between two pieces belongs to the one before', () => {
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  const at = (start: number, end = start) => {
    const found = pieceRange(text, start, end);
    return found && [found.piece.text, found.start, found.end];
  };
  expect(spotText(text)).toBe('At sea.');
  expect(at(0)).toEqual(['At ', 0, 0]);
  expect(at(3)).toEqual(['At ', 3, 3]);
  expect(at(6)).toEqual(['sea', 3, 3]);
  expect(at(3, 6)).toEqual(['sea', 0, 3]);
  expect(at(2, 4)).toBeUndefined();
});

test('a range over several pieces begins and ends in a part of one', () => {
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  const over = (start: number, end: number) => {
    const { from, to } = passage(text, start, end) ?? {};
    return [from?.piece.text, from?.start, to?.piece.text, to?.end];
  };
  expect(over(1, 7)).toEqual(['At ', 1, '.', 1]);
  expect(over(2, 6)).toEqual(['At ', 2, 'sea', 3]);
  expect(over(3, 7)).toEqual(['sea', 0, '.', 1]);
  expect(passage(text, 1, 8)).toBeUndefined();
});

test('the text after a number is typed behind it, and the number itself is not', () => {
  const spot = {
    source: source(),
    pieces: [
      { text: 'at ', source: source() },
      { text: '8', source: source(), fixed },
      { text: ' now', source: source() },
    ],
  };
  expect(isEditable(spot)).toBe(true);
  expect(pieceRange(spot, 4, 4)?.piece.text).toBe(' now');
  expect(pieceRange(spot, 3, 4)?.piece.text).toBe('8');
  expect(isEditable({ ...spot, pieces: [{ text: '8', source: source(), fixed }] })).toBe(false);
});

test('an entry without text is typed into behind its bullet', () => {
  const empty = spots.at(-1);
  if (!empty) throw new Error('no stretch');
  expect(pieceRange(empty, 0, 0)).toMatchObject({ piece: { text: '- ' }, start: 2, end: 2 });
});

test('a caret of the prompt is in the later of two stretches that meet there', () => {
  const prompt = segments.map(({ text }) => text).join('');
  expect(prompt).toBe('At sea.\n\n- Go.\n- ');
  expect(spotAtCaret(blocks, segments, 5)).toEqual({ index: { block: 0, spot: 0 }, offset: 5 });
  expect(spotAtCaret(blocks, segments, 11)?.offset).toBe(0);
  expect(spotAtCaret(blocks, segments, 17)).toEqual({ index: { block: 1, spot: 2 }, offset: 0 });
  // In the bullet or in glue is no stretch.
  expect(spotAtCaret(blocks, segments, 10)).toBeUndefined();
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  expect(caretIn(text, segments, 7)).toBe(7);
  expect(caretIn(text, segments, 8)).toBeUndefined();
});
