import { expect, test } from 'vitest';
import type { Segment } from '../ipc';
import { isHugeText, rowsOf, spotChunks } from './spot-chunks';

const source = { token: 0, section: 'a', item: 0, item_name: 'i', field: 'text' };
const lines = (count: number, word = 'Line'): string =>
  Array.from({ length: count }, (_, n) => `${word} ${String(n)}.\n`).join('');

const pieces = (middle = 'noon'): Segment[] => [
  { text: '- ', source, bullet: true },
  { text: `${lines(60)}At `, source },
  { text: middle, source: { ...source, variable: 'hour' } },
  { text: `.\n${lines(60, 'More')}`, source },
  { text: lines(60, 'Fixed'), source, fixed: { code: 'prompt_not_text', message: 'Printed.' } },
  { text: 'The end', source },
];

test('chunks hold the pieces in their order, each part of its kind', () => {
  const all = spotChunks()(pieces());
  const parts = all.flatMap((chunk) => chunk.parts);
  expect(parts.map(({ text }) => text).join('')).toBe(
    pieces()
      .map(({ text }) => text)
      .join(''),
  );
  expect(parts.filter(({ kind }) => kind !== undefined)).toEqual([
    { text: '- ', kind: 'bullet' },
    { text: 'noon', kind: 'variable' },
    { text: lines(60, 'Fixed'), kind: 'fixed' },
  ]);
  expect(all.map((chunk) => chunk.lines)).toEqual([false, ...all.slice(2).map(() => true), false]);
  expect(all.length).toBeGreaterThan(4);
});

test('a value that changes changes the chunk it stands in alone', () => {
  const cut = spotChunks();
  const before = cut(pieces());
  const after = cut(pieces('five in the afternoon'));
  const changed = after.filter((chunk, index) => chunk !== before[index]);
  expect(changed.map(({ parts }) => parts.some(({ kind }) => kind === 'variable'))).toEqual([true]);
});

test('a part that becomes another kind is drawn again, though its text is the same', () => {
  const cut = spotChunks();
  const undeclared = { start: 3, end: 9, closed: true, pointer: '/a' };
  cut([{ text: 'At {hour}.', source }]);
  const [chunk] = cut([{ text: 'At {hour}.', source, undeclared: [undeclared] }]);
  expect(chunk?.parts.map(({ braced }) => braced?.name)).toEqual([undefined, 'hour', undefined]);
});

test('a piece without text is a part, so that nothing of a stretch is lost', () => {
  const [chunk] = spotChunks()([
    { text: 'One', source },
    { text: '', source: { ...source, variable: 'hour' } },
  ]);
  expect(chunk?.parts).toHaveLength(2);
});

test('a text of half a megabyte is laid out where it is in sight', () => {
  const chunks = (text: string) => spotChunks()([{ text, source }]);
  expect(isHugeText(chunks('All of it. '.repeat(10_000)))).toBe(false);
  expect(isHugeText(chunks('All of it. '.repeat(100_000)))).toBe(true);
  expect(isHugeText(chunks(lines(30_000)))).toBe(true);
});

test('a chunk takes a row for each line, and more for a long one', () => {
  const rows = (text: string) => rowsOf({ key: 0, lines: true, parts: [{ text }] });
  expect(rows('One.\nTwo.\n')).toBe(2);
  expect(rows('One.\n\nTwo.\n')).toBe(3);
  expect(rows(`${'x'.repeat(640)} y\n`)).toBe(11);
});
