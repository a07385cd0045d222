// Words that are dragged within the prompt, and the clipboard where nothing is selected.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import {
  OPEN,
  leave,
  letterOf,
  openAtEnd,
  prints,
  promptText,
  PROMPT,
  selectedText,
  spotOf,
} from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';
import type { Spot } from './pointer';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'end', 'far', 'mood.scale'],
  scene: { items: [{ id: 'landing', text: 'The slow ferry leaves at dusk.' }] },
  end: { items: [{ id: 'greeting', text: 'Greet the next traveller.' }] },
  far: { items: [{ id: 'pier', text: '10\u00a0km away.' }] },
  mood: { slider: 8, scale_template: 'On 1-10, it is {value}.', items: [{ id: 'calm' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

/** The start of a letter of a text, the open one unless another is named. */
const letter = (at: number, text = OPEN): Promise<Spot> =>
  studio.window.executeScript(
    `const text = document.createTreeWalker(document.querySelector(arguments[1]), NodeFilter.SHOW_TEXT).nextNode();
     const range = document.createRange();
     range.setStart(text, arguments[0]);
     range.setEnd(text, arguments[0] + 1);
     const box = range.getBoundingClientRect();
     return { x: Math.round(box.x + 1), y: Math.round(box.y + box.height / 2) };`,
    at,
    text,
  );

/** Drags what is pressed to a place and drops it there; on a busy machine a drag takes a moment to begin. */
const dropAt = async (place: Spot): Promise<void> => {
  for (const x of [place.x, place.x + 2, place.x]) {
    studio.pointer.move({ ...place, x });
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  studio.pointer.release();
};

test('selected words are moved where they are dropped, as one step', async () => {
  const { pointer } = studio;
  await openAtEnd('The slow ferry');
  const before = await promptText();
  pointer.key('Home', 'Right', 'Right', 'Right', 'Right');
  for (let n = 0; n < 'slow '.length; n += 1) pointer.key('shift+Right');
  await pointer.keysArrived();
  pointer.move(await letter(6));
  pointer.press();
  await dropAt(await letter('The slow ferry '.length));
  await prints('The ferry slow leaves at dusk.');
  // The words stay selected.
  pointer.type('quick ');
  await prints('The ferry quick leaves at dusk.');
  pointer.key('ctrl+z');
  await prints('The ferry slow leaves at dusk.');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
});

test('so are words past the number of a slider, without the whitespace that ends the text', async () => {
  const { pointer } = studio;
  await openAtEnd('On 1-10, it is');
  pointer.key('Home', 'shift+Right', 'shift+Right', 'shift+Right');
  await pointer.keysArrived();
  pointer.move(await letter(1));
  pointer.press();
  const { x, y } = await letter('On 1-10, it is'.length - 1);
  // Beside the text its end is hit.
  const end = { x: x + 80, y };
  await dropAt(end);
  await eventually(async () => expect(await promptText()).toMatch(/^1-10, it is 8\.On$/m));
  pointer.key('ctrl+z');
  await prints('On 1-10, it is 8.');
  await leave();
});

/** Presses, and drops somewhere else. */
const drag = async (from: Spot, drop: () => Promise<void>): Promise<void> => {
  // Two presses at one place within GTK's 400 ms are a double click.
  await new Promise((resolve) => setTimeout(resolve, 500));
  studio.pointer.move(from);
  studio.pointer.press();
  await drop();
};

/** Selects by a drag from one place to another. */
const select = async (from: Spot, to: Spot, words: string): Promise<void> => {
  await drag(from, () => {
    studio.pointer.move(to);
    studio.pointer.release();
    return Promise.resolve();
  });
  await eventually(async () => expect(await selectedText()).toBe(words));
};

/** Drags the word before the traveller to the ferry, where it is dropped. */
const dragNext = async (drop: (place: Spot) => Promise<void>): Promise<void> => {
  const begin = await letterOf('next ', 0);
  await select(begin, await letterOf('next ', 5), 'next ');
  const { x, y } = await letterOf('slow ferry', 'slow '.length);
  await drag({ ...begin, x: begin.x + 20 }, () => drop({ x: x + 1, y }));
};

test('selected words are moved into another text as one step, or copied with Ctrl held', async () => {
  const { pointer } = studio;
  const before = await promptText();
  await dragNext(dropAt);
  await prints('The slow next ferry leaves at dusk.');
  await prints('Greet the traveller.');
  // The words stay selected.
  await eventually(async () => expect(await selectedText()).toBe('next '));
  await studio.picture('moved-words');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
  await dragNext((place) => pointer.hold('ctrl', () => dropAt(place)));
  await prints('The slow next ferry leaves at dusk.');
  await prints('Greet the next traveller.');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
});

test('words that cannot go where they are dropped stay, and why is said', async () => {
  const before = await promptText();
  const begin = await letterOf('it is ', 0);
  const end = await letterOf('it is ', 6);
  await select(begin, { ...end, x: end.x + 8 }, 'it is 8');
  const place = await letterOf('slow ferry', 'slow '.length);
  await drag({ ...begin, x: begin.x + 20 }, () => dropAt(place));
  await eventually(async () =>
    expect(await studio.page.content('.prompt .reason')).toContain('slider'),
  );
  expect(await promptText()).toBe(before);
  await leave();
});

test('Ctrl+C between two texts leaves the clipboard as it is', async () => {
  const { pointer } = studio;
  studio.copy('from elsewhere');
  const gap = await studio.window.executeScript<Spot>(
    `const [first, second] = [...document.querySelectorAll('[aria-label="Evaluated prompt"] [data-near]')]
       .map((each) => each.getBoundingClientRect());
     return { x: Math.round(first.x + 40), y: Math.round((first.bottom + second.top) / 2) };`,
  );
  pointer.move(gap);
  pointer.press();
  pointer.release();
  pointer.key('ctrl+c');
  await pointer.keysArrived();
  expect(studio.clipboard()).toBe('from elsewhere');
});

test('a word of a card is dropped into a text of the prompt', async () => {
  const { page, pointer } = studio;
  const field = 'textarea[aria-label="end.greeting.text"]';
  await page.menu('end actions', 'Edit items');
  await page.press('Edit greeting');
  await page.enter('end.greeting.text');
  pointer.key('Home', 'shift+ctrl+Right');
  await pointer.keysArrived();
  const word = await pointer.spot(field, { x: 0.06 });
  const place = await letter(4, await spotOf('The slow ferry'));
  pointer.move(word);
  pointer.press();
  await dropAt(place);
  await prints('The Greetslow ferry');
  expect(await page.lines(`${PROMPT} .open`)).toHaveLength(1);
  pointer.key('ctrl+z');
  await prints('The slow ferry');
  await leave();
});

test('a no-break space of a card is dropped into the prompt, open or not, and into another card as it is', async () => {
  const { page, pointer } = studio;
  const field = 'textarea[aria-label="far.pier.text"]';
  await page.menu('far actions', 'Edit items');
  await page.press('Edit pier');
  /** Drags the first words of the field to a place. */
  const dragTo = async (place: () => Promise<Spot>) => {
    await page.enter('far.pier.text');
    pointer.key('Home', 'shift+Right', 'shift+Right', 'shift+Right', 'shift+Right', 'shift+Right');
    await pointer.keysArrived();
    const to = await place();
    pointer.move(await pointer.spot(field, { x: 0.04 }));
    // Two presses at one place within GTK's 400 ms are a double click.
    await new Promise((resolve) => setTimeout(resolve, 500));
    pointer.press();
    await dropAt(to);
  };
  await dragTo(async () => letter(4, await spotOf('The ')));
  await prints('The 10\u00a0kmslow ferry');
  pointer.key('ctrl+z');
  await prints('The slow ferry');
  await leave();
  const other = 'textarea[aria-label="end.greeting.text"]';
  await dragTo(() => pointer.spot(other, { x: 0.02 }));
  await eventually(async () => {
    const words = await page.read('end.greeting.text');
    expect(words.replaceAll('\u00a0', '_')).toContain('10_km');
  });
  await prints('10\u00a0kmGreet');
  // Where they were taken from WebKit takes the space behind them along.
  await eventually(async () => expect(await page.read('far.pier.text')).toBe('away.'));
});
