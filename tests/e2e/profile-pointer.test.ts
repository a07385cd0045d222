// The coverage and the pairs of a profile under a real pointer: the figures are those of the command
// line, a row and a cell list their rolls, and what cannot occur leads to the item that forbids it.
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { promptdeck } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'noir_roller.json';
const CELLS = '[data-block="pairs"] td:not(.hatch) button';

opens(['Noir Roller', FILE]);

interface Pair {
  first_values: string[];
  second_values: string[];
  rolls: number[][];
  impossible: { line: number; column: number }[];
}

interface Report {
  coverage: { section: string; rows: { kind: string; label: string; rolls: number }[] }[];
  pairs: Pair[];
}

const number = new Intl.NumberFormat('en');
const rollsOf = (count: number): string =>
  `${number.format(count)} ${count === 1 ? 'roll' : 'rolls'}`;
const percent = (count: number): string => `${((count / 2000) * 100).toFixed(1)} %`;

let report: Report;

beforeAll(async () => {
  const { page } = studio;
  const seed = await page.read('Seed');
  await page.showTab('Variants');
  await page.sees('[data-block="coverage"] [data-row]');
  const args = ['--rolls', '2000', '--seed', seed, '--pair', 'client,crime', '--format', 'json'];
  const file = join(home.registries, FILE);
  report = JSON.parse(promptdeck(['profile', file, ...args], home.env)) as Report;
});

/** Every roll of the list, once it has that many or is as long as a list begins. */
const lists = (rolls: number) =>
  eventually(async () => {
    expect(await studio.page.count('.variant')).toBe(Math.min(rolls, 60));
  });

test('a press anywhere in a row of the coverage lists the rolls that print it; another takes it back', async () => {
  const { page, pointer } = studio;
  const rows = report.coverage.find(({ section }) => section === 'city')?.rows ?? [];
  const items = rows.filter(({ kind, rolls }) => kind === 'item' && rolls > 0);
  const [item] = items.toSorted((one, other) => one.rolls - other.rolls);
  if (!item) throw new Error('no city is printed');
  const more = '[data-block="coverage"] .end button';
  if ((await page.count(more)) > 0) await page.pressRow(more);
  const row = `[data-row="city.${item.label}"]`;
  const cells = await page.lines(`${row} > td:last-child`);
  expect(cells).toEqual([number.format(item.rolls)]);
  await pointer.click(`${row} > td:last-child`);
  await eventually(async () => {
    expect(await page.all(`${row} button`, 'aria-pressed')).toEqual(['true']);
  });
  await lists(item.rolls);
  await pointer.click(`${row} > td:last-child`);
  await eventually(async () => {
    expect(await page.all(`${row} button`, 'aria-pressed')).toEqual(['false']);
  });
});

test('pairs are counted as on the command line; a cell lists its rolls, a hatched one opens the item that excludes', async () => {
  const { page, pointer } = studio;
  await page.pressWords('Pairs');
  await page.sees('[data-block="pairs"] table');
  await page.choose('Rows', 'client');
  await page.choose('Columns', 'crime');
  const [pair] = report.pairs;
  if (!pair) throw new Error('the command line counts no pair');
  const never = new Set(
    pair.impossible.map(({ line, column }) => `${String(line)} ${String(column)}`),
  );
  expect(never.size).toBeGreaterThan(0);
  const cells = pair.rolls.flatMap((counts, row) =>
    counts.flatMap((rolls, column) => {
      const name = `${pair.second_values[column] ?? ''} with ${pair.first_values[row] ?? ''}`;
      const label = `${name}: ${rollsOf(rolls)}, ${percent(rolls)}`;
      return never.has(`${String(row)} ${String(column)}`) ? [] : [{ label, rolls }];
    }),
  );
  await eventually(async () => {
    expect(await page.all(CELLS, 'aria-label')).toEqual(cells.map(({ label }) => label));
  });
  expect(await page.count('[data-block="pairs"] td.hatch button')).toBe(never.size);

  const [rare] = cells
    .filter(({ rolls }) => rolls > 0)
    .toSorted((one, other) => one.rolls - other.rolls);
  if (!rare) throw new Error('no pair is printed');
  const cell = `${CELLS}[aria-label="${rare.label}"]`;
  await pointer.click(cell);
  await eventually(async () => {
    expect(await page.all(cell, 'aria-pressed')).toEqual(['true']);
  });
  await lists(rare.rolls);

  await pointer.click('[data-block="pairs"] td.hatch button');
  await eventually(async () => {
    const place = await studio.window.executeScript<string | null>(
      'return document.activeElement.closest("[data-place]")?.dataset.place ?? null',
    );
    // The widow is the first of the clients.
    expect(place?.split('\u001f').slice(0, 2)).toEqual(['client', '0']);
  });
});
