// A deck and an assembly order too long to be drawn as a whole: only what is near the view has a content,
// and going, tabbing, scrolling and moving work as in a short one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { largeRegistry } from './speed/large-registry';
import { Home, Studio } from './studio';
import { eventually } from './wait';

let home: Home;
let studio: Studio;

beforeAll(async () => {
  home = new Home();
  writeFileSync(join(home.registries, 'large.json'), largeRegistry());
  studio = await Studio.open(home);
  await studio.page.openRegistry('Large', 'large.json');
});

afterAll(async () => {
  await studio.close();
  await home.remove();
});

const ask = <T>(script: string, ...args: unknown[]): Promise<T> =>
  studio.window.executeScript<T>(script, ...args);

/** Cards in the view, by name, with where they are and whether they have a content. */
interface Seen {
  name: string;
  top: number;
  drawn: boolean;
}

const IN_VIEW = `
  const scroller = document.querySelector('main .scroll').getBoundingClientRect();
  return [...document.querySelectorAll('main [data-near]')].flatMap((card) => {
    const box = card.getBoundingClientRect();
    if (box.bottom < scroller.top || box.top > scroller.bottom) return [];
    return [{ name: card.dataset.card, top: box.top, drawn: card.firstElementChild !== null }];
  });
`;
const inView = () => ask<Seen[]>(IN_VIEW);

const scrollBy = (pixels: number) =>
  studio.window.executeAsyncScript(
    `const [pixels, done] = arguments;
     document.querySelector('main .scroll').scrollTop += pixels;
     requestAnimationFrame(() => requestAnimationFrame(() => done()));`,
    pixels,
  );

const focused = () =>
  ask<string>(
    'return document.activeElement.closest("[data-card], [data-token]")?.dataset.card ?? ""',
  );

test('cards far from the view have no content, and all keep their name', async () => {
  const counted = await ask<{ cards: number; drawn: number; named: number }>(`
    const cards = [...document.querySelectorAll('main [data-near]')];
    const drawn = cards.filter((card) => card.firstElementChild);
    const named = cards.filter(
      (card) => card.ariaLabel ?? document.getElementById(card.getAttribute('aria-labelledby')),
    );
    return { cards: cards.length, drawn: drawn.length, named: named.length };
  `);
  expect(counted.cards).toBe(200);
  expect(counted.named).toBe(200);
  expect(counted.drawn).toBeLessThan(100);
  expect((await inView()).every(({ drawn }) => drawn)).toBe(true);
});

test('nothing in the view moves while open cards that were never drawn come near', async () => {
  await studio.page.press('Expand all');
  await eventually(async () => expect((await inView()).every(({ drawn }) => drawn)).toBe(true));
  // A jump far down: what lies above is taken for as high as guessed.
  await ask("document.querySelector('main .scroll').scrollTop = 20000");
  await eventually(async () => expect((await inView()).every(({ drawn }) => drawn)).toBe(true));
  for (let step = 0; step < 60; step += 1) {
    const before = await inView();
    await scrollBy(-120);
    const after = await inView();
    expect(
      after.every(({ drawn }) => drawn),
      `all drawn at step ${String(step)}`,
    ).toBe(true);
    const common = after.flatMap(({ name, top }) => {
      const then = before.find((card) => card.name === name);
      return then ? [top - then.top] : [];
    });
    expect(common.length).toBeGreaterThan(0);
    for (const by of common)
      expect(Math.abs(by - 120), `at step ${String(step)}`).toBeLessThan(1.5);
  }
  await studio.page.press('Collapse all');
  await ask("document.querySelector('main .scroll').scrollTop = 0");
});

test('Tab goes from card to card past the end of the view, and back', async () => {
  await ask("document.querySelector('[data-card=part_000] [aria-expanded]').focus()");
  // A card has two stops: its head and its menu.
  for (let n = 0; n < 60; n += 1) await studio.page.keys([], Key.TAB);
  expect(await focused()).toBe('part_030');
  for (let n = 0; n < 60; n += 1) await studio.page.keys([Key.SHIFT], Key.TAB);
  expect(await focused()).toBe('part_000');
});

test('find goes to a place far away and shows it', async () => {
  await studio.page.keys([Key.CONTROL], 'f');
  await studio.page.keys([], `passage 7 of part 150:${Key.ENTER}`);
  await eventually(async () => {
    const found = await ask<string | undefined>(`
      const found = document.querySelector('[data-found]');
      const box = found?.getBoundingClientRect();
      const view = document.querySelector('main .scroll').getBoundingClientRect();
      return box && box.top >= view.top && box.bottom <= view.bottom
        ? found.closest('[data-card]').dataset.card
        : undefined;
    `);
    expect(found).toBe('part_150');
  });
});

test('a card is moved by key, the focus goes along, and undo takes it back', async () => {
  await ask("document.querySelector('[data-card=part_150] [aria-expanded]').focus()");
  const place = () =>
    ask<number>(`
      return [...document.querySelectorAll('main [data-near]')]
        .findIndex((card) => card.dataset.card === 'part_150');
    `);
  await studio.page.keys([Key.ALT], Key.ARROW_DOWN);
  await eventually(async () => expect(await place()).toBe(151));
  expect(await focused()).toBe('part_150');
  await studio.page.keys([Key.CONTROL], 'z');
  await eventually(async () => expect(await place()).toBe(150));
});

test('arrows go through the assembly order past the end of the view', async () => {
  await ask('document.querySelector(\'[data-token="0"]\').focus()');
  for (let n = 0; n < 60; n += 1) await studio.page.keys([], Key.ARROW_DOWN);
  const { token, height } = await ask<{ token: string; height: number }>(`
    const list = document.querySelector('[data-column=assembly] ol');
    const heights = [...list.children].map((row) => row.getBoundingClientRect().height);
    return { token: document.activeElement.dataset.token, height: new Set(heights).size };
  `);
  expect(token).toBe('60');
  // A row without a content is as high as one that has it.
  expect(height).toBe(1);
});
