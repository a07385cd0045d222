// Registries far larger than an author writes, and what the window shows of one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { By } from 'selenium-webdriver';
import { expect } from 'vitest';

import type { Studio } from '../studio';
import { eventually } from '../wait';

const MB = 1024 * 1024;
const KEYS = 12;

const listOf = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const sections = (count: number, items: (section: number) => object[]) =>
  Object.fromEntries(
    listOf(count, (n) => [`part_${String(n)}`, { required: true, items: items(n) }]),
  );

const registry = (parts: Record<string, unknown>) => ({
  registry: {
    title: 'Oversized',
    assembly_order: Object.keys(parts).map((name) => `${name}.text`),
    ...parts,
  },
});

export const oversized: [string, () => object][] = [
  [
    '10,000 sections',
    () => registry(sections(10_000, (n) => [{ id: 'only', text: `Part ${String(n)}.` }])),
  ],
  [
    'an item of 10 MB',
    () => registry(sections(1, () => [{ id: 'only', text: 'All of it. '.repeat((10 * MB) / 11) }])),
  ],
  [
    '100,000 items in a section',
    () =>
      registry(
        sections(1, () =>
          listOf(100_000, (n) => ({ id: `i${String(n)}`, text: `Item ${String(n)}.` })),
        ),
      ),
  ],
  [
    '50 MB',
    () =>
      registry(
        sections(500, () =>
          listOf(100, (n) => ({ id: `i${String(n)}`, text: `Item ${String(n)}. `.repeat(90) })),
        ),
      ),
  ],
];

/** `opened` when the file is shown, what the notice says when it is refused, null before that. */
const SHOWN = `
  const title = document.querySelector('button[aria-label^="Registry"]')?.title ?? '';
  const prompt = document.querySelector('[aria-label="Evaluated prompt"]');
  if (title.endsWith('oversized.json') && prompt) return 'opened';
  const notice = document.querySelector('[role=log]')?.textContent ?? '';
  return notice.includes('oversized.json') && !notice.includes('Opening') ? notice : null;
`;

const TIME_KEYS = `
  const times = (window.keyTimes = []);
  addEventListener('keydown', (event) => {
    const from = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - from)));
  }, true);
`;

/** What became of a file, after how many milliseconds, and those from each key to the next frame. */
export interface Attempt {
  shown: string;
  opened: number;
  keys: number[];
}

/** Opens a registry from the list of files, then types into *Find in deck*. */
export async function tryToOpen(
  { page, window }: Studio,
  folder: string,
  content: object,
): Promise<Attempt> {
  writeFileSync(join(folder, 'oversized.json'), JSON.stringify(content));
  await page.open('Registry');
  const row = '[data-file="oversized.json"] .name';
  await eventually(async () => {
    const listed = await window.executeScript(`return document.querySelector('${row}') !== null`);
    expect(listed).toBe(true);
  });
  const asked = Date.now();
  await window.findElement(By.css(row)).click();
  const displayed = await eventually(async () => {
    const now = await window.executeScript<string | null>(SHOWN);
    if (now === null) throw new Error('neither opened nor refused');
    return now;
  }, 60_000);
  const opened = Date.now() - asked;
  await window.executeScript(TIME_KEYS);
  await window.findElement(By.css('input[aria-label="Find in deck"]')).click();
  for (let n = 0; n < KEYS; n += 1) {
    await page.keys([], 'abc '[n % 4] ?? ' ');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const keys = await window.executeScript<number[]>('return window.keyTimes');
  expect(keys.length, 'keys that were answered').toBeGreaterThanOrEqual(KEYS);
  return { shown: displayed, opened, keys };
}
