// Offsets in a stretch of the prompt: which piece they are in, and where a caret of the prompt is.
import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { blocksOf, type Spot } from './blocks';
import { arrivingTarget, targetsAt, type CaretTarget } from './caret-target';
import { caretIn, isEditable, pieceRange, spotsAtCaret, spotText } from './open-spot';
import { acrossEdit, passageIn, passageOf } from './passage';

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

/** A target as its piece with the caret, or as the variable with the side. */
const caretText = (target: CaretTarget | undefined): string | undefined => {
  if (target?.kind !== 'piece') return target && `${target.after ? 'after' : 'before'} variable`;
  const { text } = target.piece;
  return `${text.slice(0, target.at)}|${text.slice(target.at)}`;
};

/** The targets of a caret, with a star at the one of a caret that is put there. */
const targets = (spot: Spot, offset: number): string[] => {
  const found = targetsAt(spot, offset);
  const put = arrivingTarget(found, 0);
  return found.map((target, index) => `${caretText(target)}${index === put ? '*' : ''}`);
};

const spotOf = (...pieces: Segment[]): Spot => ({ source: source(), pieces });
const value = (text: string, variable: string): Segment => ({ text, source: source({ variable }) });
const words = (text: string): Segment => ({ text, source: source() });

test('texts and values that meet at a caret are its targets from left to right', () => {
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  expect(spotText(text)).toBe('At sea.');
  expect(targets(text, 0)).toEqual(['|At *']);
  expect(targets(text, 2)).toEqual(['At| *']);
  expect(targets(text, 3)).toEqual(['At |*', '|sea']);
  expect(targets(text, 5)).toEqual(['se|a*']);
  expect(targets(text, 6)).toEqual(['sea|*', '|.']);
  const alone = spotOf(value('sea', 'place'), value('now', 'time'));
  expect(targets(alone, 0)).toEqual(['before variable', '|sea*']);
  expect(targets(alone, 3)).toEqual(['sea|*', 'after variable', '|now']);
  expect(targets(alone, 6)).toEqual(['now|*', 'after variable']);
});

test('a caret that moves stays in the text that it moved through', () => {
  const spot = spotOf(words('At '), value('sea', 'place'), value('now', 'time'));
  const arriving = (offset: number, heading: 1 | -1) => {
    const found = targetsAt(spot, offset);
    return caretText(found[arrivingTarget(found, heading)]);
  };
  expect([arriving(3, 1), arriving(3, -1)]).toEqual(['At |', '|sea']);
  expect([arriving(6, 1), arriving(6, -1)]).toEqual(['sea|', '|now']);
  expect([arriving(9, 1), arriving(9, -1)]).toEqual(['now|', 'after variable']);
});

test('a selection in one piece is a range of it', () => {
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  const range = (start: number, end: number) => {
    const found = pieceRange(text, start, end);
    return found && [found.piece.text, found.start, found.end];
  };
  expect(range(0, 3)).toEqual(['At ', 0, 3]);
  expect(range(3, 6)).toEqual(['sea', 0, 3]);
  expect(range(2, 4)).toBeUndefined();
});

test('a range of the prompt begins and ends in a part of a piece', () => {
  const [text, first] = spots;
  if (!text || !first) throw new Error('no stretch');
  const over = (spot: Spot, start: number, end: number) => {
    const found = passageIn(spot, segments, { start, end });
    return found && [found.segment, found.start, found.last, found.end];
  };
  expect(over(text, 1, 7)).toEqual([0, 1, 2, 1]);
  expect(over(text, 2, 6)).toEqual([0, 2, 1, 3]);
  expect(over(text, 3, 7)).toEqual([1, 0, 2, 1]);
  expect(over(first, 0, 3)).toEqual([5, 0, 5, 3]);
  expect(passageOf(segments, { start: 8, end: 99 })).toBeUndefined();
});

test('an edit over several texts keeps the place of the first unless that is an entry', () => {
  const over = (start: number, end: number) => acrossEdit(blocks, segments, { start, end }, 'x');
  expect(over(0, 12)?.edit).toEqual({
    kind: 'replace_passage',
    segment: 0,
    start: 0,
    last: 5,
    end: 1,
    text: 'x',
  });
  expect(over(0, 12)?.place?.source.field).toBe('text');
  // From the line break before an entry, and from an entry.
  expect(over(7, 12)?.piece).toBe(segments[4]);
  expect(over(7, 12)?.place).toBeUndefined();
  expect(over(9, 14)?.place).toBeUndefined();
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
  expect(targets(spot, 3)).toEqual(['at |*']);
  expect(targets(spot, 4)).toEqual(['| now*']);
  expect(targets(spotOf({ ...words('8'), fixed }), 1)).toEqual(['8|*']);
  const after = spotOf({ ...words('8'), fixed }, value('sea', 'place'));
  expect(targets(after, 1)).toEqual(['before variable', '|sea*']);
  expect(pieceRange(spot, 3, 4)?.piece.text).toBe('8');
  expect(isEditable({ ...spot, pieces: [{ text: '8', source: source(), fixed }] })).toBe(false);
});

test('an entry without text is typed into behind its bullet', () => {
  const empty = spots.at(-1);
  if (!empty) throw new Error('no stretch');
  expect(targets(empty, 0)).toEqual(['- |*']);
});

test('a caret of the prompt is in all stretches that meet there', () => {
  const prompt = segments.map(({ text }) => text).join('');
  expect(prompt).toBe('At sea.\n\n- Go.\n- ');
  const found = (caret: number) =>
    spotsAtCaret(blocks, segments, caret).map(({ index: { block, spot }, offset }) => [
      block,
      spot,
      offset,
    ]);
  expect(found(5)).toEqual([[0, 0, 5]]);
  expect(found(11)).toEqual([[1, 0, 0]]);
  expect(found(17)).toEqual([[1, 2, 0]]);
  // In the bullet or in glue is no stretch.
  expect(found(10)).toEqual([]);
  const gap = [words('At '), value('', 'place'), words('.')];
  const around = spotsAtCaret(blocksOf(gap), gap, 3).map(({ index }) => index.spot);
  expect(around).toEqual([0, 1, 2]);
  const [text] = spots;
  if (!text) throw new Error('no stretch');
  expect(caretIn(text, segments, 7)).toBe(7);
  expect(caretIn(text, segments, 8)).toBeUndefined();
});
