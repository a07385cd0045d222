// A section of more items than are drawn: its list scrolls, is gone through by keys and is searched like a short
// one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const COUNT = 400;
const ITEMS = Array.from({ length: COUNT }, (_, n) => ({
  id: `item_${String(n)}`,
  text: `Item ${String(n)}.`,
}));

opens(['Long list', 'list.json'], ({ registries }) => {
  const part = { required: true, items: ITEMS };
  const registry = { title: 'Long list', assembly_order: ['part'], part };
  writeFileSync(join(registries, 'list.json'), JSON.stringify(registry));
});

beforeAll(() => studio.pointer.focus());

const ROWS = '[data-tool-list] > [role=listitem]';
const ask = <T>(script: string): Promise<T> => studio.window.executeScript<T>(script);
const drawn = () => ask<number>(`return document.querySelectorAll('${ROWS} .row-line').length`);
const closedHeights = () =>
  ask<number[]>(
    `return [...new Set([...document.querySelectorAll('${ROWS}:not(:has(.open))')].map((row) => row.offsetHeight))]`,
  );
const editor = (n: number) => `[aria-label="part.item_${String(n)}.text"]`;

test('only rows near the view are drawn, and all have a name and the same height', async () => {
  await studio.pointer.click('[aria-label="Edit items of part"]');
  await studio.page.sees(editor(0));
  expect(await ask(`return document.querySelectorAll('${ROWS}').length`)).toBe(COUNT);
  expect(await drawn()).toBeLessThan(COUNT / 2);
  expect(await closedHeights()).toHaveLength(1);
  const last = `return document.querySelectorAll('${ROWS}')[${String(COUNT - 50)}].ariaLabel`;
  expect(await ask(last)).toBe(`item_${String(COUNT - 50)}`);
});

test('rows that are scrolled to are drawn, and opened by a press', async () => {
  const { pointer } = studio;
  await ask(`document.querySelectorAll('${ROWS}')[200].scrollIntoView({ block: 'center' })`);
  await studio.page.sees('[aria-label="Edit item_200"]');
  expect(await drawn()).toBeLessThan(COUNT / 2);
  await pointer.click('[aria-label="Edit item_200"]');
  await studio.page.sees(editor(200));
  pointer.key('Tab');
});

test('Find opens an item that is far away', async () => {
  const { page, pointer } = studio;
  pointer.key('ctrl+f');
  pointer.type('Item 333.');
  pointer.key('Return');
  await page.sees(editor(333));
  await eventually(async () => {
    const inView = `const row = document.querySelector('${editor(333)}').getBoundingClientRect();
      const view = document.querySelector('main .scroll').getBoundingClientRect();
      return row.top >= view.top && row.bottom <= view.bottom`;
    expect(await ask(inView)).toBe(true);
  });
  pointer.key('Escape');
  await page.sees(`${editor(333)}:focus`);
});
