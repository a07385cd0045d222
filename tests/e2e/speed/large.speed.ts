// Where time and memory go with a registry of 200 sections and 5,000 items: opening it, and how many
// elements each column holds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { largeRegistry } from './large-registry';
import { memoryByProcess } from './processes';

/** Until what follows the opening is done, in milliseconds. */
const SETTLED = 3000;

const ELEMENTS = `
  return Object.fromEntries(
    [...document.querySelectorAll('[data-column]')].map((column) => [
      column.dataset.column,
      column.querySelectorAll('*').length,
    ]),
  );
`;

let home: Home;
let studio: Studio;
const memory: Record<string, Record<string, string>> = {};
let elements: Record<string, number> = {};

beforeAll(async () => {
  home = new Home();
  writeFileSync(join(home.registries, 'large.json'), largeRegistry());
  studio = await Studio.open(home);
});

afterAll(async () => {
  console.table(memory);
  console.table(elements);
  await studio.close();
  await home.remove();
});

function note(when: string): void {
  const sizes = Object.entries(memoryByProcess(programs.studio));
  memory[when] = Object.fromEntries([
    ...sizes.map(([name, { all }]) => [`${name}, MB`, all.toFixed(0)]),
    ['all, MB', sizes.reduce((sum, [, { all }]) => sum + all, 0).toFixed(0)],
  ]);
}

const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLED));

test('memory of a large registry', async () => {
  await settled();
  note('samples');
  await studio.page.openRegistry('Large', 'large.json');
  note('large, opened');
  await settled();
  note('large, settled');
  elements = await studio.window.executeScript(ELEMENTS);
});
