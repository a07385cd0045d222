// Typing, rolling and scrolling in the real window: from a key to the updated preview, and from frame
// to frame, with a sample and with a registry of 200 sections and 5,000 items. Typed into the text of
// an item, as an author does: into its field on the card, and into the prompt where it is printed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key, type WebDriver } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { eventually } from '../wait';
import { atMost, type Goal } from './goals';
import { largeRegistry } from './large-registry';
import { memoryOfFamily } from './processes';
import { scrollThrough } from './scrolling';
import { quantile, readStopwatch, startStopwatch, type Keystroke } from './stopwatch';

const KEYSTROKES = 300;
const TURNS = 2;
/** What is typed, again and again: words of a dictionary, since WebKit marks all others at every key. */
const TEXT = 'greet every table by its name, read the question aloud and wait for the answer. ';
/** Between two keys, in milliseconds: a fast typist. */
const PACE = 60;
const ROLLS = 30;
/** Between two rolls, in milliseconds: an author who looks at each for a moment. */
const LOOK = 300;
/** Pixels from one frame to the next: a wheel turned fast. */
const STEP = 240;

interface Place {
  title: string;
  file: string;
  section: string;
  item: string;
  field: string;
  /** Words of that text as it is printed. */
  words: string;
  /** The most that is good enough: milliseconds at the 95th percentile, and MB. */
  goals: {
    keystroke: number;
    large?: { opened: number; memory: number; roll: number; frame: number };
  };
}

const places: Place[] = [
  {
    title: 'Trivia Host',
    file: 'trivia_host.json',
    section: 'base_context',
    item: 'pub_night',
    field: 'text',
    words: 'You run the Thursday quiz',
    goals: { keystroke: 8 },
  },
  {
    title: 'Large',
    file: 'large.json',
    section: 'part_001',
    item: 'item-1',
    field: 'text',
    words: 'Passage 1 of part 1:',
    goals: { keystroke: 16, large: { opened: 500, memory: 350, roll: 33, frame: 33 } },
  },
];

/** Notes when a row of the list of files is pressed, and the frame that shows the prompt after it. */
const TIME_OPENING = `
  const [words] = arguments;
  window.opening = new Promise((opened) => {
    const press = ({ target, timeStamp }) => {
      if (!target.closest('[data-file]')) return;
      removeEventListener('click', press, true);
      const look = () => {
        const spots = document.querySelectorAll('[aria-label="Evaluated prompt"] [data-spot]');
        if (![...spots].some((spot) => spot.textContent.includes(words))) {
          requestAnimationFrame(look);
          return;
        }
        const channel = new MessageChannel();
        channel.port1.onmessage = () => opened(performance.now() - timeStamp);
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    addEventListener('click', press, true);
  });
`;

const OPEN_SPOT = `
  const spots = [...document.querySelectorAll('[aria-label="Evaluated prompt"] [data-spot]')];
  const spot = spots.find((each) => each.textContent.includes(arguments[0]));
  if (!spot) return false;
  spot.scrollIntoView({ block: 'center' });
  spot.focus();
  spot.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  return true;
`;

/** Opens a text of the prompt for editing where it is printed. */
async function openInPrompt(window: WebDriver, words: string): Promise<void> {
  await eventually(async () => {
    expect(await window.executeScript(OPEN_SPOT, words), words).toBe(true);
  });
  await eventually(async () => {
    const open = await window.executeScript<boolean>(
      'return document.activeElement?.matches("[role=textbox]") ?? false',
    );
    expect(open, 'a text open in the prompt').toBe(true);
  });
}

/** Types at the pace of a fast typist; the times of the keys that reached the preview. */
async function typeAway({ page, window }: Studio, keys: number): Promise<Keystroke[]> {
  await startStopwatch(window);
  for (let n = 0; n < keys; n += 1) {
    await page.keys([], TEXT[n % TEXT.length] ?? ' ');
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
  const times = await readStopwatch(window);
  expect(times.length, 'keystrokes that reached the preview').toBeGreaterThan(keys * 0.9);
  return times;
}

/** The quantile as it is shown: the page's clock knows no parts of a millisecond. */
const milliseconds = (values: number[], share: number): number =>
  Math.round(quantile(values, share));

let home: Home;
let studio: Studio;
const table: Record<string, Record<string, number>> = {};
const verdicts: Record<string, Goal> = {};

beforeAll(async () => {
  home = new Home();
  writeFileSync(join(home.registries, 'large.json'), largeRegistry());
  studio = await Studio.open(home);
});

afterAll(async () => {
  console.table(table);
  console.table(verdicts);
  await studio.close();
  await home.remove();
});

test.each(places)(
  'typing, rolling and scrolling in $title',
  async ({ title, file, section, item, field, words, goals }) => {
    const { page, window } = studio;
    await window.executeScript(TIME_OPENING, words);
    const asked = Date.now();
    await page.openRegistry(title, file);
    const withList = Date.now() - asked;
    const openedIn = await window.executeScript<number>('return window.opening');
    await page.menu(`${section} actions`, 'Edit items');
    await page.press(`Edit ${item}`);
    // In turns: what is typed first meets script that is not compiled yet.
    const inPrompt: Keystroke[] = [];
    const times: Keystroke[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      await openInPrompt(window, words);
      inPrompt.push(...(await typeAway(studio, KEYSTROKES / TURNS)));
      await page.enter(`${section}.${item}.${field}`);
      times.push(...(await typeAway(studio, KEYSTROKES / TURNS)));
    }
    const memory = memoryOfFamily(programs.studio);
    const changed = times.map((time) => time.changed);
    const drawn = times.map((time) => time.drawn);
    await startStopwatch(window);
    for (let n = 0; n < ROLLS; n += 1) {
      await page.keys([Key.CONTROL], 'r');
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    const rolled = (await readStopwatch(window)).map((time) => time.changed);
    // A roll may come out as the one before.
    expect(rolled.length, 'rolls that changed the preview').toBeGreaterThan(ROLLS / 2);
    const frames = await scrollThrough(window, STEP);
    const judge = (what: string, value: number, most: number, unit = ' ms') =>
      (verdicts[`${title}: ${what}`] = atMost(value, most, unit));
    judge('keystroke p95', quantile(changed, 0.95), goals.keystroke);
    const changedInPrompt = inPrompt.map((time) => time.changed);
    judge('keystroke in the prompt p95', quantile(changedInPrompt, 0.95), goals.keystroke);
    if (goals.large) {
      judge('opened', openedIn, goals.large.opened);
      judge('memory', memory, goals.large.memory, ' MB');
      judge('roll p95', quantile(rolled, 0.95), goals.large.roll);
      judge('scroll frame p95', quantile(frames, 0.95), goals.large.frame);
    }
    // By then the script of an edit is compiled, as it is for an author after some sentences.
    const later = (keys: Keystroke[]) => keys.slice(keys.length / 2).map((time) => time.changed);
    table[title] = {
      keystrokes: times.length,
      'changed p50 ms': milliseconds(changed, 0.5),
      'changed p95 ms': milliseconds(changed, 0.95),
      'changed p95 ms, second half': milliseconds(later(times), 0.95),
      'changed worst ms': milliseconds(changed, 1),
      'drawn p95 ms': milliseconds(drawn, 0.95),
      'prompt changed p50 ms': milliseconds(changedInPrompt, 0.5),
      'prompt changed p95 ms': milliseconds(changedInPrompt, 0.95),
      'prompt changed p95 ms, second half': milliseconds(later(inPrompt), 0.95),
      'prompt drawn p95 ms': milliseconds(
        inPrompt.map((time) => time.drawn),
        0.95,
      ),
      'opened in ms': Math.round(openedIn),
      'opened in ms, with the list and the driver': withList,
      'rolled p50 ms': milliseconds(rolled, 0.5),
      'rolled p95 ms': milliseconds(rolled, 0.95),
      frames: frames.length,
      'frame p50 ms': milliseconds(frames, 0.5),
      'frame p95 ms': milliseconds(frames, 0.95),
      'memory MB': Math.round(memory),
    };
  },
);
