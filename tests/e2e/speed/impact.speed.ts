// What the work behind an edit costs: from a key to the pill that says what it changes in the rolls, and
// a keystroke with pill, profile and checks on against the same keystroke without them. A second part
// without them shows how much two equal measurements differ.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WebDriver } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Home, Studio } from '../studio';
import { eventually } from '../wait';
import { largeRegistry } from './large-registry';
import { quantile } from './stopwatch';

/** Keys pressed one by one, each after the pill of the one before and this much later. */
const SINGLE = 60;
const LOOK = 400;
/** Keys typed in one go in each part, and the turns in which each part comes once. */
const BURST = 40;
const TURNS = 10;
const PARTS = ['off', 'on', 'off again'] as const;
/** Between two keys, in milliseconds: a fast typist, who pauses before every fourth key. */
const RHYTHM = [60, 60, 60, 140] as const;

const places = [
  ['Trivia Host', 'trivia_host.json', 'base_context', 'pub_night'],
  ['Night Stream', 'night_stream.json', 'base_context', 'lamp_room'],
  ['Support Desk', 'support_desk.json', 'role', 'desk'],
  ['Large', 'large.json', 'part_001', 'item-1'],
] as const;

/**
 * Times keys to the next frame and to their pill. While it is off, the window does not ask the service
 * for the population.
 */
const WATCH = `
  if (window.populationOff !== undefined) return;
  window.populationOff = false;
  window.frames_of_keys = [];
  window.pills = [];
  const drawn = (then) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = then;
    requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  let pressed;
  addEventListener('keydown', (event) => {
    const from = (pressed = event.timeStamp);
    drawn(() => window.frames_of_keys.push(performance.now() - from));
  }, true);
  const ask = window.fetch;
  window.fetch = (request, ...rest) => {
    const name = String(request.url ?? request);
    const own = /\\/(edit_impact|measure_profile|roll_variants|run_checks|variant_count)$/.test(name);
    if (own && window.populationOff) return new Promise(() => undefined);
    const answer = ask(request, ...rest);
    const from = pressed;
    if (name.endsWith('/edit_impact') && from !== undefined) {
      answer.then(() => drawn(() => window.pills.push(performance.now() - from)), () => undefined);
    }
    return answer;
  };
`;

const take = (window: WebDriver, list: string): Promise<number[]> =>
  window.executeScript(`return window.${list}.splice(0)`);

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

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

test.each(places)('the pill and keystrokes in %s', async (title, file, section, item) => {
  const { page, window } = studio;
  await page.openRegistry(title, file);
  await page.menu(`${section} actions`, 'Edit items');
  await page.press(`Edit ${item}`);
  const field = `${section}.${item}.text`;
  await page.enter(field);
  await window.executeScript(WATCH);
  await take(window, 'pills');
  for (let n = 0; n < SINGLE; n += 1) {
    await page.keys([], 'abc def '[n % 8] ?? ' ');
    await eventually(async () => {
      const count = await window.executeScript('return window.pills.length');
      expect(count, 'pills').toBeGreaterThan(n);
    });
    await pause(LOOK);
  }
  const pills = await take(window, 'pills');

  await page.showTab('Variants');
  await page.sees('[data-block="lengths"]');
  await page.enter(field);
  const times: Record<(typeof PARTS)[number], number[]> = { off: [], on: [], 'off again': [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    // The text grows with each part: every other turn takes them backwards.
    for (const part of turn % 2 === 0 ? PARTS : PARTS.toReversed()) {
      await window.executeScript(`window.populationOff = ${String(part !== 'on')}`);
      await take(window, 'frames_of_keys');
      for (let n = 0; n < BURST; n += 1) {
        await page.keys([], 'abc def '[n % 8] ?? ' ');
        await pause(RHYTHM[n % RHYTHM.length] ?? 0);
      }
      times[part].push(...(await take(window, 'frames_of_keys')));
    }
  }
  await window.executeScript('window.populationOff = false');
  table[title] = {
    pills: pills.length,
    'pill p50 ms': Math.round(quantile(pills, 0.5)),
    'pill p95 ms': Math.round(quantile(pills, 0.95)),
    ...Object.fromEntries(
      PARTS.flatMap((part) => [
        [`key ${part} p50 ms`, Math.round(quantile(times[part], 0.5))],
        [`key ${part} p95 ms`, Math.round(quantile(times[part], 0.95))],
      ]),
    ),
  };
});
