// With the keyboard alone: a slider is tuned, rolled and locked, and what came of it is read in a
// comparison, change by change. No pointer is moved and none is pressed.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const SLIDER = 'Slider of sentiment';
const ROW = '[data-card="sentiment"] .prop:has(input[type="range"])';

opens();

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.page.read('Seed'));

const at = (name: string | RegExp) =>
  eventually(async () => {
    expect(await studio.page.focused()).toMatch(name);
  });

/** Goes on by Tab until something of that name has the focus. */
const tabTo = async (name: string | RegExp, back = false) => {
  for (let step = 0; step < 16; step += 1) {
    if (new RegExp(name).test(await studio.page.focused())) return;
    await studio.page.keys(back ? [Key.SHIFT] : [], Key.TAB);
  }
  await at(name);
};

/** The position of the focused element. */
const place = () =>
  studio.window.executeScript<number>('return document.activeElement.getBoundingClientRect().x');

const value = () => studio.page.content(`${ROW} .set.value`);
const sees = (check: () => Promise<unknown>, expected: unknown) =>
  eventually(async () => {
    expect(await check()).toEqual(expected);
  });

test('a slider is moved, and its switch stays in place when it is pressed', async () => {
  const { page } = studio;
  await page.command('@sentiment');
  await at(/sentiment/);
  await tabTo(SLIDER);
  await sees(value, '5');
  for (const [key, shown] of [
    [Key.ARROW_RIGHT, '6'],
    [Key.HOME, '1'],
    [Key.ARROW_LEFT, '1'],
    [Key.END, '10'],
    [Key.ARROW_LEFT, '9'],
  ] as const) {
    await page.keys([], key);
    await sees(value, shown);
    expect(await page.focused()).toBe(SLIDER);
  }

  await page.keys([], Key.TAB);
  await at('Random slider of sentiment');
  const before = await place();
  const rolled = () => page.count(`${ROW} .rolled-value`);
  await sees(rolled, 1);
  await page.keys([], ' ');
  await sees(rolled, 0);
  expect(await place()).toBe(before);
  await page.keys([], ' ');
  await sees(rolled, 1);
  expect(await page.focused()).toBe('Random slider of sentiment');
});

test('what was rolled is locked, and the focus stays on its lock', async () => {
  const { page } = studio;
  const rolled = await page.content(`${ROW} .rolled-value .value`);
  await page.keys([], Key.TAB);
  await at(`Lock ${SLIDER} ${rolled}`);
  await page.keys([], Key.ENTER);
  await sees(value, rolled);
  await sees(() => page.count(`${ROW} .rolled-value`), 0);
  await at(`Unlock ${SLIDER}`);
  await page.keys([Key.CONTROL], 'z');
  await sees(value, '9');
  await sees(() => page.count(`${ROW} .rolled-value`), 1);
});

test('a comparison is read change by change', async () => {
  const { page } = studio;
  await page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain('trivia_host');
  });
  await page.command('@base_context.pub_night');
  await at('base_context.pub_night.text');
  await page.keys([Key.CONTROL], 'a');
  await page.keys([], 'Nobody is here.');
  await page.command('@static_injections.no_spoilers');
  await at('static_injections.no_spoilers.text');
  await page.keys([Key.CONTROL], 'a');
  await page.keys([], 'Say nothing of the answer.');

  await page.command('show compare');
  await page.sees('[role=tab][aria-selected=true][id$=compare]');
  await page.keys([], Key.F6);
  await at('Compare');
  await page.sees('[aria-label="Differences in"] [data-change="1"]');
  const status = () => page.lines('[aria-label="Preview"] [role=status]');
  await tabTo(/^Change 1 of /);
  const all = Number(/\d+$/.exec(await page.focused())?.[0]);
  const position = (number: number) =>
    eventually(async () => {
      expect(await page.focused()).toBe(`Change ${String(number)} of ${String(all)}`);
      expect(await status()).toContain(`${String(number)} of ${String(all)}`);
    });
  await position(1);
  await page.keys([], Key.ARROW_DOWN);
  await position(2);
  await page.keys([], Key.END);
  await position(all);
  await page.keys([], Key.HOME);
  await position(1);
  expect(
    await studio.window.executeScript(
      `const { top, bottom } = document.activeElement.getBoundingClientRect();
       const around = document.activeElement.closest('.scroll').getBoundingClientRect();
       return top >= around.top && bottom <= around.bottom`,
    ),
  ).toBe(true);

  await tabTo('Next', true);
  await page.keys([], Key.ENTER);
  await eventually(async () => {
    expect(await status()).toContain(`2 of ${String(all)}`);
  });
  await at(/Next$/);
});

test('swapping the sides and switching to line diff', async () => {
  const { page } = studio;
  const gone = async () => (await page.lines('[aria-label="Differences in"] del')).join(' ');
  const come = async () => (await page.lines('[aria-label="Differences in"] ins')).join(' ');
  await tabTo('^Words$', true);
  await page.keys([], Key.ARROW_RIGHT);
  await at('Lines');
  await eventually(async () => {
    expect(await come()).toContain('Nobody is here.');
  });
  await tabTo('Swap sides', true);
  await page.keys([], Key.ENTER);
  await eventually(async () => {
    expect(await gone()).toContain('Nobody is here.');
  });
  expect(await page.focused()).toBe('Swap sides');
});

test('a key leads from column to column and back to where one was', async () => {
  const { page } = studio;
  const column = () =>
    studio.window.executeScript<string>(
      "return document.activeElement.closest('[data-column]')?.dataset.column ?? ''",
    );
  // A notice is entered like a column while it is shown.
  await sees(() => page.count('[data-notices] button'), 0);
  await page.keys([Key.SHIFT], Key.F6);
  await sees(column, 'deck');
  await page.keys([], Key.F6);
  await at('Swap sides');
  await page.keys([], Key.F6);
  await sees(column, 'assembly');
});
