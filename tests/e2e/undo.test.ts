// Undo inside a field and undo of the document: the field comes first, and what it takes back is an
// edit like any other.
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

const shows = (words: string, there: boolean) =>
  eventually(async () => {
    expect((await studio.page.prompt()).includes(words)).toBe(there);
  });

/** Waits until the field holds what was typed, or no longer does. */
const holds = (typed: boolean) =>
  eventually(async () => {
    expect((await studio.page.read(VENUE)) === 'the old mill').toBe(typed);
  });

test('a field takes its own typing back, then the document goes on', async () => {
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
