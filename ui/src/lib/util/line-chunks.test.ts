import { expect, test } from 'vitest';
import { LONGEST_LINE, lineChunks } from './line-chunks';

const lines = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => `Line ${String(from + n)}.\n`).join('');

/** The texts of chunks. */
const texts = (chunks: { text: string }[]): string[] => chunks.map(({ text }) => text);

test('a short text is one chunk, an empty one too', () => {
  expect(texts(lineChunks()('One.\nTwo.'))).toEqual(['One.\nTwo.']);
  expect(texts(lineChunks()(''))).toEqual(['']);
});

test('chunks end at line ends and concatenated are the text', () => {
  const text = `${lines(200)}The end.`;
  const parts = texts(lineChunks()(text));
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.join('')).toBe(text);
  for (const part of parts.slice(0, -1)) expect(part).toMatch(/\n$/);
});

test('an edit changes one chunk, which keeps its key', () => {
  const cut = lineChunks();
  const before = cut(lines(200));
  const after = cut(lines(200).replace('Line 100.', 'Line one hundred.'));
  expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(after.filter((chunk, index) => chunk !== before[index])).toHaveLength(1);
});

test('empty lines alone are one chunk', () => {
  expect(texts(lineChunks()('\n'.repeat(500)))).toHaveLength(1);
});

test('a short text stays one chunk when a line is added at its end', () => {
  const cut = lineChunks();
  cut('One.\n');
  expect(texts(cut('One.\nT'))).toEqual(['One.\nT']);
  expect(texts(cut('One.\nTwo.\nThree.'))).toEqual(['One.\nTwo.\nThree.']);
});

test('the same text gives the same list', () => {
  const cut = lineChunks();
  expect(cut(lines(200))).toBe(cut(lines(200)));
});

test('pasted lines are cut, and what is around them stays', () => {
  const cut = lineChunks();
  const before = cut(lines(200));
  const text = lines(100) + lines(300, 1000) + lines(100, 100);
  const after = cut(text);
  expect(texts(after).join('')).toBe(text);
  expect(Math.max(...texts(after).map((part) => part.length))).toBeLessThan(1_000);
  expect(before.filter((chunk) => !after.includes(chunk))).toHaveLength(1);
});

test('a long line is cut behind spaces, and an edit in it changes one chunk', () => {
  const cut = lineChunks();
  const text = `Before.\n${'All of it. '.repeat(20_000)}\nAfter.`;
  const before = cut(text);
  expect(texts(before).join('')).toBe(text);
  expect(before.length).toBeGreaterThan(10);
  for (const part of texts(before)) expect(part.length).toBeLessThanOrEqual(1.5 * LONGEST_LINE);
  for (const part of texts(before).slice(0, -1)) expect(part).toMatch(/[ \n]$/);
  const edited = text.slice(0, 100_000) + 'x' + text.slice(100_000);
  const after = cut(edited);
  expect(texts(after).join('')).toBe(edited);
  expect(after.filter((chunk) => !before.includes(chunk))).toHaveLength(1);
  // What is left of a long line is not cut any more.
  const left = texts(cut(`Before.\n${'All of it. '.repeat(20)}\nAfter.`));
  for (const part of left.slice(0, -1)) expect(part).toMatch(/\n$/);
});

test('a long line without spaces is cut between whole characters', () => {
  const text = 'x' + '😀'.repeat(30_000);
  const parts = texts(lineChunks()(text));
  expect(parts.join('')).toBe(text);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.isWellFormed()).toBe(true);
});

const EDITS: [string, (text: string, at: number) => string][] = [
  ['a letter', (text, at) => `${text.slice(0, at)}x${text.slice(at)}`],
  ['a line end', (text, at) => `${text.slice(0, at)}\n${text.slice(at)}`],
  ['a letter less', (text, at) => text.slice(0, at) + text.slice(at + 1)],
  ['many lines less', (text, at) => text.slice(0, at) + text.slice(at + 700)],
  ['a line end at the end', (text) => `${text}\n`],
  ['all but a part', (text, at) => text.slice(at, at + 900)],
  ['a long text of letters alone', (text, at) => text.slice(0, at) + 'x'.repeat(5_000)],
  ['an empty line', (text, at) => `${text.slice(0, at)}\n\n${text.slice(at)}`],
  ['the text twice', (text) => text + text],
];

test.each(EDITS)(
  'after %s at any place, each chunk ends with a line that holds something',
  (_, edit) => {
    const text = `${lines(120)}\n\n${lines(60)}The end`;
    for (let at = 0; at < text.length; at += 7) {
      const cut = lineChunks();
      cut(text);
      const edited = edit(text, at);
      const parts = texts(cut(edited));
      expect(parts.join('')).toBe(edited);
      for (const part of parts.slice(0, -1)) expect(part).toMatch(/[^\n]\n$/);
      expect(parts.length === 1 || !parts.includes('')).toBe(true);
    }
  },
);

test('chunks stay few while one of them is typed into', () => {
  const cut = lineChunks();
  let text = lines(200);
  for (let n = 0; n < 500; n += 1) text = text.replace('Line 100.', 'Line 100.\nMore.');
  const count = cut(text).length;
  for (let n = 0; n < 2_000; n += 1) {
    text = text.replace('Line 50.', n % 20 === 0 ? 'Line 50.\n' : 'Line 50. x');
    cut(text);
  }
  expect(cut(text).length).toBeLessThan(count + 20);
});
