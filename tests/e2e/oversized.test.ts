// Registries far larger than an author writes: each opens or says why not, and the window goes on
// answering keys in bounded memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { programs } from './programs';
import { memoryOfFamily } from './speed/processes';
import { quantile } from './speed/stopwatch';
import { Home, Studio } from './studio';
import { eventually } from './wait';

const MB = 1024 * 1024;
const KEYS = 12;

interface Limits {
  /** Until the document is shown or refused, in milliseconds. */
  opened: number;
  /** From a key to the next frame, the median, in milliseconds. */
  key: number;
  /** Of all processes, in MB. */
  memory: number;
}

const LIMITS: Limits = { opened: 3000, key: 100, memory: 1024 };

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

const cases: [string, () => object][] = [
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

/** What the window shows of the file that was asked for; undefined while it is on its way. */
const SHOWN = `
  const title = document.querySelector('button[aria-label^="Registry"]')?.title ?? '';
  const prompt = document.querySelector('[aria-label="Evaluated prompt"]');
  if (title.endsWith('oversized.json') && prompt) return 'opened';
  const notice = document.querySelector('[role=log]')?.textContent ?? '';
  return notice.includes('oversized.json') ? notice : null;
`;

const TIME_KEYS = `
  const times = (window.keyTimes = []);
  addEventListener('keydown', (event) => {
    const from = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - from)));
  }, true);
`;

let home: Home;
let studio: Studio;

beforeEach(async () => {
  home = new Home();
  studio = await Studio.open(home);
});

afterEach(async () => {
  await studio.close();
  await home.remove();
});

test.each(cases)('%s', async (_, content) => {
  const { page, window } = studio;
  writeFileSync(join(home.registries, 'oversized.json'), JSON.stringify(content()));
  await page.open('Registry');
  const row = '[data-file="oversized.json"] .name';
  await eventually(async () => {
    expect(await window.executeScript(`return document.querySelector('${row}') !== null`)).toBe(true);
  });
  const asked = Date.now();
  await page.click(row);
  const shown = await eventually(async () => {
    const now = await window.executeScript<string | null>(SHOWN);
    expect(now).not.toBeNull();
    return now;
  }, 30_000);
  const opened = Date.now() - asked;
  await window.executeScript(TIME_KEYS);
  await page.click('input[aria-label="Find in deck"]');
  for (let n = 0; n < KEYS; n += 1) {
    await page.keys([], 'abc '[n % 4] ?? ' ');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const times = await window.executeScript<number[]>('return window.keyTimes');
  const memory = memoryOfFamily(programs.studio);
  console.log(shown, opened, times.map(Math.round), Math.round(memory));
  expect(times.length).toBeGreaterThanOrEqual(KEYS);
  expect.soft(opened, 'opened or refused, ms').toBeLessThan(LIMITS.opened);
  expect.soft(quantile(times, 0.5), 'key to frame, ms').toBeLessThan(LIMITS.key);
  expect.soft(memory, 'MB').toBeLessThan(LIMITS.memory);
});
