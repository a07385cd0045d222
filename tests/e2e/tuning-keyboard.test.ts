// With the keyboard alone: a slider is tuned, rolled and locked, and what came of it is read in a
// comparison, change by change. No pointer is moved and none is pressed.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './opened';
import { eventually } from './patience';
import { promptdeck } from './programs';

const SLIDER = 'Slider of sentiment';
const ROW = '[data-card="sentiment"] .prop:has(input[type="range"])';

opens();

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.hands.read('Seed'));

const at = (name: string | RegExp) =>
  eventually(async () => {
    expect(await studio.hands.focused()).toMatch(name);
  });

/** Goes on by Tab until something of that name has the focus. */
const tabTo = async (name: string | RegExp, back = false) => {
  for (let step = 0; step < 16; step += 1) {
    if (new RegExp(name).test(await studio.hands.focused())) return;
    await studio.hands.keys(back ? [Key.SHIFT] : [], Key.TAB);
  }
  await at(name);
};

/** Where what has the focus stands. */
const place = () =>
  studio.window.executeScript<number>('return document.activeElement.getBoundingClientRect().x');

const value = () => studio.hands.content(`${ROW} .set.value`);
const sees = (check: () => Promise<unknown>, expected: unknown) =>
  eventually(async () => {
    expect(await check()).toEqual(expected);
  });

test('a slider is moved, and its switch stays in place when it is pressed', async () => {
  const { hands } = studio;
  await hands.command('@sentiment');
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
    await hands.keys([], key);
    await sees(value, shown);
    expect(await hands.focused()).toBe(SLIDER);
  }

  await hands.keys([], Key.TAB);
  await at('Random slider of sentiment');
  const before = await place();
  const rolled = () => hands.count(`${ROW} .pick`);
  await sees(rolled, 1);
  await hands.keys([], ' ');
  await sees(rolled, 0);
  expect(await place()).toBe(before);
  await hands.keys([], ' ');
  await sees(rolled, 1);
  expect(await hands.focused()).toBe('Random slider of sentiment');
});

test('what was rolled is locked, and the focus stays on its lock', async () => {
  const { hands } = studio;
  const rolled = await hands.content(`${ROW} .pick .value`);
  await hands.keys([], Key.TAB);
  await at(`Lock ${SLIDER} ${rolled}`);
  await hands.keys([], Key.ENTER);
  await sees(value, rolled);
  await sees(() => hands.count(`${ROW} .pick`), 0);
  await at(`Unlock ${SLIDER}`);
  await hands.keys([Key.CONTROL], 'z');
  await sees(value, '9');
  await sees(() => hands.count(`${ROW} .pick`), 1);
});

test('a comparison is read change by change', async () => {
  const { hands } = studio;
  await hands.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain('trivia_host');
  });
  await hands.command('@base_context.pub_night');
  await at('base_context.pub_night.text');
  await hands.keys([Key.CONTROL], 'a');
  await hands.keys([], 'Nobody is here.');
  await hands.command('@static_injections.no_spoilers');
  await at('static_injections.no_spoilers.text');
  await hands.keys([Key.CONTROL], 'a');
  await hands.keys([], 'Say nothing of the answer.');

  await hands.command('show compare');
  await hands.sees('[role=tab][aria-selected=true][id$=compare]');
  await hands.keys([], Key.F6);
  await at('Compare');
  await hands.sees('[aria-label="Differences in"] [data-change="1"]');
  const said = () => hands.lines('[aria-label="Preview"] [role=status]');
  await tabTo(/^Change 1 of /);
  const all = Number(/\d+$/.exec(await hands.focused())?.[0]);
  const position = (number: number) =>
    eventually(async () => {
      expect(await hands.focused()).toBe(`Change ${String(number)} of ${String(all)}`);
      expect(await said()).toContain(`${String(number)} of ${String(all)}`);
    });
  await position(1);
  await hands.keys([], Key.ARROW_DOWN);
  await position(2);
  await hands.keys([], Key.END);
  await position(all);
  await hands.keys([], Key.HOME);
  await position(1);
  expect(
    await studio.window.executeScript(
      `const { top, bottom } = document.activeElement.getBoundingClientRect();
       const around = document.activeElement.closest('.scroll').getBoundingClientRect();
       return top >= around.top && bottom <= around.bottom`,
    ),
  ).toBe(true);

  await tabTo('Next', true);
  await hands.keys([], Key.ENTER);
  await eventually(async () => {
    expect(await said()).toContain(`2 of ${String(all)}`);
  });
  await at(/Next$/);
});

test('the sides of a comparison are changed over, and it is told by lines', async () => {
  const { hands } = studio;
  const gone = async () => (await hands.lines('[aria-label="Differences in"] del')).join(' ');
  const come = async () => (await hands.lines('[aria-label="Differences in"] ins')).join(' ');
  await tabTo('^Words$', true);
  await hands.keys([], Key.ARROW_RIGHT);
  await at('Lines');
  await eventually(async () => {
    expect(await come()).toContain('Nobody is here.');
  });
  await tabTo('Swap sides', true);
  await hands.keys([], Key.ENTER);
  await eventually(async () => {
    expect(await gone()).toContain('Nobody is here.');
  });
  expect(await hands.focused()).toBe('Swap sides');
});

test('a key leads from column to column and back to where one was', async () => {
  const { hands } = studio;
  const column = () =>
    studio.window.executeScript<string>(
      "return document.activeElement.closest('[data-column]')?.dataset.column ?? ''",
    );
  await hands.keys([Key.SHIFT], Key.F6);
  await sees(column, 'deck');
  await hands.keys([], Key.F6);
  await at('Swap sides');
  await hands.keys([], Key.F6);
  await sees(column, 'assembly');
});
