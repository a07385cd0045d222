// The window as a program's and not a browser's: it stays on its page, and draws what it lists.
import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

/** By then the engine has left out what it takes for out of sight. */
const FRAMES = 300;

/** How many of the elements have a part that is not drawn, though they are in the window. */
const undrawn = (selector: string): Promise<number> =>
  studio.window.executeScript(
    `return [...document.querySelectorAll(arguments[0])].filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const list = element.closest('.scroll, [role=listbox]').getBoundingClientRect();
      if (bottom <= list.top || top >= list.bottom) return false;
      return [...element.children].some(
        (part) => !part.checkVisibility({ contentVisibilityAuto: true }),
      );
    }).length`,
    selector,
  );

test.each(['file:///etc/hostname', 'https://example.org/', 'about:blank', 'data:text/html,x'])(
  'the window does not go to %s',
  async (address) => {
    const page = await studio.window.getCurrentUrl();
    await studio.window.executeScript('location.href = arguments[0]', address);
    await studio.window.executeScript('open(arguments[0])', address);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await studio.window.getCurrentUrl()).toBe(page);
    expect(await studio.window.getAllWindowHandles()).toHaveLength(1);
    expect(await studio.page.count('[data-card]')).toBeGreaterThan(0);
  },
);

test('each row of the snapshots stays drawn while the keys go through them', async () => {
  await studio.page.keys([Key.CONTROL, Key.SHIFT], 's');
  await studio.page.keys([Key.CONTROL], 'r');
  await studio.page.keys([Key.CONTROL, Key.SHIFT], 's');
  await studio.page.keys([Key.CONTROL, Key.SHIFT], 'o');
  await eventually(async () => {
    expect(await studio.page.count('[role=option][data-id]')).toBeGreaterThan(1);
  });
  await studio.window.executeScript('document.querySelector("[role=option][data-id]").focus()');
  for (const key of [Key.ARROW_DOWN, Key.ARROW_UP, Key.ARROW_DOWN]) {
    await studio.page.keys([], key);
    await new Promise((resolve) => setTimeout(resolve, FRAMES));
    expect(await undrawn('[role=option][data-id]')).toBe(0);
  }
  await studio.page.keys([], Key.ESCAPE);
});

test('each card stays drawn when the focus leaves it', async () => {
  const cards = await studio.page.count('[data-card]');
  for (let card = 0; card < Math.min(cards, 4); card += 1) {
    await studio.window.executeScript(
      'document.querySelectorAll("[data-card]")[arguments[0]].querySelector("button").focus()',
      card,
    );
    await new Promise((resolve) => setTimeout(resolve, FRAMES));
    expect(await undrawn('[data-card]')).toBe(0);
  }
});

test('each item of a section stays drawn while one is added', async () => {
  await studio.page.command('edit items: personas');
  await eventually(async () => {
    expect(await studio.page.count('[data-card="personas"] [data-order]')).toBeGreaterThan(1);
  });
  await studio.window.executeScript(
    'document.querySelector("[data-card=personas] [data-order] button").click()',
  );
  await studio.page.command('add item: personas');
  expect(await undrawn('[data-card="personas"] [data-order]')).toBe(0);
});

test('the window zooms by keys, as a browser does', async () => {
  // WebKit keeps its device pixel ratio; fewer of the page's pixels are in the window.
  const width = () => studio.window.executeScript<number>('return innerWidth');
  const normal = await width();
  const zooms = (expected: number) =>
    eventually(async () => expect(normal / (await width())).toBeCloseTo(expected, 1));
  studio.pointer.focus();
  for (const [key, expected] of [
    ['ctrl+equal', 1.1],
    ['ctrl+plus', 1.25],
    ['ctrl+minus', 1.1],
    ['ctrl+0', 1],
    ['ctrl+minus', 0.9],
  ] as const) {
    studio.pointer.key(key);
    await zooms(expected);
  }
  await studio.page.command('Reset zoom');
  await zooms(1);
});
