// A prompt too long to be drawn in every detail: far from the view a band is its text alone, and
// reading, scrolling, walking by keys and following a text from its card work as in a short one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { PROMPT } from './printed-prompt';
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
  await eventually(async () => expect(await ask(`return bands().length`)).toBe(400));
});

afterAll(async () => {
  await studio.close();
  await home.remove();
});

const FUNCTIONS = `
  const prompt = document.querySelector('${PROMPT}');
  const scroller = prompt.closest('.scroll');
  const bands = () => [...prompt.querySelectorAll('.block')];
  const isPlain = (band) => band.firstElementChild === null;
  const isInView = (element) => {
    const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
    return box.bottom > view.top && box.top < view.bottom;
  };
`;
const ask = <T>(script: string): Promise<T> => studio.window.executeScript<T>(FUNCTIONS + script);

const plain = () => ask<number>('return bands().filter(isPlain).length');

/** Whether all that is in view is drawn in detail, and something is. */
const detailed = () =>
  ask<boolean>(`
    const seen = bands().filter(isInView);
    return seen.length > 0 && !seen.some(isPlain);
  `);

/** The band of the stretch that has the focus, counted from 0, if it is in view. */
const focused = () =>
  ask<string | undefined>(`
    const stretch = document.activeElement.closest('[data-spot]');
    return stretch && isInView(stretch) ? stretch.dataset.spot.split('/')[0] : undefined;
  `);

test('bands far from the view are their text alone, which reads the same', async () => {
  await eventually(async () => {
    expect(await plain()).toBeGreaterThan(300);
    expect(await detailed()).toBe(true);
  });
  const texts = await ask<string[]>('return bands().map((band) => band.textContent)');
  expect(texts[302]).toBe(
    'Passage 1 of part 151: the green lantern over the door is lit.\n\n' +
      'Passage 2 of part 151: the green lantern over the door is lit.',
  );
  expect(texts[303]).toMatch(/^- Rule 0 of passage 1\.\n- Rule 1 of passage 1\./);
});

test('a text that gets the focus on its card is shown where it is printed, far away', async () => {
  const { page } = studio;
  await page.keys([Key.CONTROL], 'f');
  await page.keys([], `passage 2 of part 151${Key.ENTER}`);
  await page.enter('part_151.item-2.text');
  await eventually(async () => {
    const lit = await ask<string[]>(
      `return [...prompt.querySelectorAll('[data-lit]')].filter(isInView).map((each) => each.textContent)`,
    );
    expect(lit.join()).toContain('Passage 2 of part 151');
  });
  await eventually(async () => expect(await detailed()).toBe(true));
});

test('arrows walk from band to band past the end of the view, Home and End to the ends', async () => {
  await ask(`scroller.scrollTop = 0; prompt.querySelector('[data-spot="0/0"]').focus()`);
  for (let n = 0; n < 120; n += 1) await studio.page.keys([], Key.ARROW_DOWN);
  // Five stretches in two bands of a section, ten where it has two items.
  await eventually(async () => expect(Number(await focused())).toBeGreaterThan(30));
  await studio.page.keys([], Key.END);
  await eventually(async () => expect(await focused()).toBe('399'));
  await studio.page.keys([], Key.HOME);
  await eventually(async () => expect(await focused()).toBe('0'));
});

test('nothing moves when bands are drawn in detail', async () => {
  const height = () => ask<number>('return scroller.scrollHeight');
  const before = await height();
  for (let step = 0; (await plain()) > 0; step += 1) {
    expect(step, 'steps to the end').toBeLessThan(100);
    await ask('scroller.scrollTop += scroller.clientHeight');
    await eventually(async () => expect(await detailed()).toBe(true));
    const atEnd = 'scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1';
    if (await ask<boolean>(`return ${atEnd}`)) await ask('scroller.scrollTop = 0');
  }
  expect(await height()).toBe(before);
});
