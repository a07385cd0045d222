// From a keystroke to the updated preview in the real window: with a sample, and with a registry of
// 200 sections and 5,000 items. Typed into the text of an item, as an author does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { largeRegistry } from './large-registry';
import { memoryOfFamily } from './processes';
import { quantile, readStopwatch, startStopwatch } from './stopwatch';

const KEYSTROKES = 300;
/** Between two keys, in milliseconds: a fast typist. */
const PACE = 60;

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

test.each(places)('typing in $title', async ({ title, file, section, item, field }) => {
  const { hands, window } = studio;
  const opened = Date.now();
  await hands.openRegistry(title, file);
  const openedIn = Date.now() - opened;
  await hands.menu(`${section} actions`, 'Edit items');
  await hands.press(`Edit ${item}`);
  await hands.enter(`${section}.${item}.${field}`);
  await startStopwatch(window);
  for (let n = 0; n < KEYSTROKES; n += 1) {
    await hands.keys([], 'abc def '[n % 8] ?? ' ');
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
  const times = await readStopwatch(window);
  expect(times.length, 'keystrokes that reached the preview').toBeGreaterThan(KEYSTROKES * 0.9);
  const changed = times.map((time) => time.changed);
  const drawn = times.map((time) => time.drawn);
  table[title] = {
    keystrokes: times.length,
    'changed p50 ms': quantile(changed, 0.5),
    'changed p95 ms': quantile(changed, 0.95),
    'changed worst ms': Math.max(...changed),
    'drawn p95 ms': quantile(drawn, 0.95),
    'opened in ms': openedIn,
    'memory MB': Math.round(memoryOfFamily(programs.studio)),
  };
});
