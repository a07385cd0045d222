// Typing, rolling and scrolling in the real window: from a key to the updated preview, and from frame
// to frame, with a sample and with a registry of 200 sections and 5,000 items. Typed into the text of
// an item, as an author does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { largeRegistry } from './large-registry';
import { memoryOfFamily } from './processes';
import { scrollThrough } from './scrolling';
import { quantile, readStopwatch, startStopwatch } from './stopwatch';

const KEYSTROKES = 300;
/** Between two keys, in milliseconds: a fast typist. */
const PACE = 60;
const ROLLS = 30;
/** Between two rolls, in milliseconds: an author who looks at each for a moment. */
const LOOK = 300;
/** Pixels from one frame to the next: a wheel turned fast. */
const STEP = 240;

interface Place {
  title: string;
  file: string;
  section: string;
  item: string;
  field: string;
}

const places: Place[] = [
  {
    title: 'Trivia Host',
    file: 'trivia_host.json',
    section: 'base_context',
    item: 'pub_night',
    field: 'text',
  },
  { title: 'Large', file: 'large.json', section: 'part_001', item: 'item-1', field: 'text' },
];

/** The quantile as it is shown: the page's clock knows no parts of a millisecond. */
const milliseconds = (values: number[], share: number): number =>
  Math.round(quantile(values, share));

let home: Home;
let studio: Studio;
const table: Record<string, Record<string, number>> = {};

beforeAll(async () => {
  home = new Home();
  writeFileSync(join(home.registries, 'large.json'), largeRegistry());
  studio = await Studio.open(home);
});

afterAll(async () => {
  console.table(table);
  await studio.close();
  await home.remove();
});

test.each(places)(
  'typing, rolling and scrolling in $title',
  async ({ title, file, section, item, field }) => {
    const { page, window } = studio;
    const opened = Date.now();
    await page.openRegistry(title, file);
    const openedIn = Date.now() - opened;
    await page.menu(`${section} actions`, 'Edit items');
    await page.press(`Edit ${item}`);
    await page.enter(`${section}.${item}.${field}`);
    await startStopwatch(window);
    for (let n = 0; n < KEYSTROKES; n += 1) {
      await page.keys([], 'abc def '[n % 8] ?? ' ');
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
    const times = await readStopwatch(window);
    const memory = memoryOfFamily(programs.studio);
    expect(times.length, 'keystrokes that reached the preview').toBeGreaterThan(KEYSTROKES * 0.9);
    const changed = times.map((time) => time.changed);
    const drawn = times.map((time) => time.drawn);
    await startStopwatch(window);
    for (let n = 0; n < ROLLS; n += 1) {
      await page.keys([Key.CONTROL], 'r');
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    const rolled = (await readStopwatch(window)).map((time) => time.changed);
    // A roll may come out as the one before.
    expect(rolled.length, 'rolls that changed the preview').toBeGreaterThan(ROLLS / 2);
    const frames = await scrollThrough(window, STEP);
    table[title] = {
      keystrokes: times.length,
      'changed p50 ms': milliseconds(changed, 0.5),
      'changed p95 ms': milliseconds(changed, 0.95),
      'changed worst ms': milliseconds(changed, 1),
      'drawn p95 ms': milliseconds(drawn, 0.95),
      'opened in ms': openedIn,
      'rolled p50 ms': milliseconds(rolled, 0.5),
      'rolled p95 ms': milliseconds(rolled, 0.95),
      frames: frames.length,
      'frame p50 ms': milliseconds(frames, 0.5),
      'frame p95 ms': milliseconds(frames, 0.95),
      'memory MB': Math.round(memory),
    };
  },
);
