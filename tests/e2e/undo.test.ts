// Undo by key: in a field of the deck it is the deck's, in a field whose text is in no document the
// field's own.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

const VENUE = 'base_context variable venue';

/** The prompt as the registry was opened. */
let opened: string;

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(async () => {
  await studio.page.showRaw();
  opened = await studio.page.prompt();
});

const undo = () => studio.page.keys([Key.CONTROL], 'z');
const redo = () => studio.page.keys([Key.CONTROL, Key.SHIFT], 'Z');

const shows = (words: string, isPresent: boolean) =>
  eventually(async () => {
    expect((await studio.page.prompt()).includes(words)).toBe(isPresent);
  });

/** Waits until the field holds what was typed, or no longer does. */
const holds = (typed: boolean) =>
  eventually(async () => {
    expect((await studio.page.read(VENUE)) === 'the old mill').toBe(typed);
  });

test('in a field of the deck the keys take back what was typed there, and the choice before it stays', async () => {
  await studio.page.setSwitch('Random item of personas', false);
  await studio.page.choose('Item of personas', 'deadpan');
  await shows('You are dry', true);
  await studio.page.type(VENUE, 'the old mill');
  await shows('at the old mill.', true);

  await undo();
  await shows('at the old mill.', false);
  expect(await studio.page.prompt(), 'the choice before it is kept').toContain('You are dry');
  await holds(false);

  await redo();
  await shows('at the old mill.', true);
  await holds(true);
});

test('outside a field everything is undone to the beginning, and redone', async () => {
  const { page } = studio;
  const all = (way: () => Promise<void>, label: string) =>
    eventually(async () => {
      await way();
      expect(await page.count(`button[aria-label^="${label}: "]`)).toBe(0);
    });
  await page.press('Collapse base_context');
  const changed = await page.prompt();
  await all(undo, 'Undo');
  await eventually(async () => {
    expect(await page.prompt()).toBe(opened);
  });
  await all(redo, 'Redo');
  await eventually(async () => {
    expect(await page.prompt()).toBe(changed);
  });
});

test('undo goes on after another registry was open', async () => {
  const { page } = studio;
  const before = await page.prompt();
  const is = (prompt: string) =>
    eventually(async () => {
      expect(await page.prompt()).toBe(prompt);
    });
  await page.choose('Item of sentiment', 'negative');
  await eventually(async () => {
    expect(await page.prompt()).not.toBe(before);
  });
  const changed = await page.prompt();
  await page.openRegistry('Support Desk', 'support_desk.json');
  await page.openRegistry('Trivia Host', 'trivia_host.json');
  await is(changed);
  await undo();
  await is(before);
  await redo();
  await is(changed);
});

test('in a field of no document, the keys undo and redo what was typed there', async () => {
  const { page, pointer } = studio;
  await page.choose('Item of sentiment', 'negative');
  const deck = await page.prompt();
  await page.showTab('Run');
  await pointer.click('.composer textarea');
  pointer.type('And then?');
  const composed = (words: string) =>
    eventually(async () => {
      expect(await page.read('Next turn')).toBe(words);
    });
  await composed('And then?');
  pointer.key('ctrl+z');
  await composed('');
  pointer.key('ctrl+shift+z');
  await composed('And then?');
  await page.showTab('Prompt');
  expect(await page.prompt()).toBe(deck);
});

test('undo takes back a sentence, and what was typed over, alone', async () => {
  const { page, pointer } = studio;
  await page.press('Expand base_context');
  await pointer.click(`input[aria-label="${VENUE}"]`);
  pointer.key('ctrl+a');
  const holds = (words: string) =>
    eventually(async () => {
      expect(await page.read(VENUE)).toBe(words);
    });
  // As a hand does: what is typed before the page has sent the first of it travels as one edit.
  for (const [words, text] of [
    ['One day. ', 'One day. '],
    ['Two days.', 'One day. Two days.'],
  ] as const) {
    pointer.type(words);
    await holds(text);
  }
  pointer.key('shift+Home');
  pointer.type('Never');
  await holds('Never');
  pointer.key('ctrl+z');
  await holds('One day. Two days.');
  pointer.key('ctrl+z');
  await holds('One day.');
});
