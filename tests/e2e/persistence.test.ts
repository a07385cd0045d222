// Nothing an author wrote is lost: the file changes behind a clean and behind a modified document,
// the program is killed in the middle of the work.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, reopen, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';
const VENUE = 'base_context variable venue';
const TEXT = 'base_context.pub_night.text';
const CONFLICT = 'section[aria-label="Changed on disk"]';
const CONTEXT = 'personas.deadpan.context';

opens(['Trivia Host', FILE]);

beforeAll(async () => {
  await studio.page.showRaw();
  await studio.page.setSwitch('Random item of personas', false);
  await studio.page.choose('Item of personas', 'deadpan');
  await shows('You are dry');
});

const path = () => join(home.registries, FILE);
const file = (): string => readFileSync(path(), 'utf8');

/** Changes the file as another program would. */
const outside = (changes: [from: string, to: string][]): void => {
  let text = file();
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(path(), text);
};

const shows = (words: string): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.prompt()).toContain(words);
  });

test('a change behind a clean document is loaded, and what is selected stays', async () => {
  outside([['You are dry', 'You are wry']]);
  await shows('You are wry');
  expect(await studio.page.content('.notices')).toContain(`Reloaded ${FILE}`);
});

test('a change behind a modified document leaves the choice, section by section', async () => {
  const { page } = studio;
  await page.menu('personas actions', 'Edit items');
  await page.press('Edit deadpan');
  await page.type(CONTEXT, 'You are mine.');
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  await page.type(TEXT, 'You run my quiz.');
  await shows('You run my quiz.');

  outside([
    ['You are wry', 'You are theirs'],
    ['The room is warm', 'The room is theirs'],
  ]);
  await page.sees(CONFLICT);
  expect(await page.prompt(), 'nothing is taken over unasked').toContain('You are mine.');
  const rows = await page.lines(`${CONFLICT} td:first-child`);
  expect(rows.map((row) => row.trim())).toEqual(['base_context', 'personas', 'sentiment']);
  await studio.picture('conflict');
  await page.pressWords('Compare both');
  await eventually(async () => {
    expect(await page.lines('[role=tabpanel] .removed')).toContainEqual(
      expect.stringContaining('You are theirs'),
    );
    expect(await page.lines('[role=tabpanel] .added')).toContainEqual(
      expect.stringContaining('You are mine.'),
    );
  });
  await page.showTab('Prompt');

  await page.pressIn('Version of personas to keep', 'Disk');
  await page.pressWords('Apply');
  for (const words of ['You run my quiz.', 'You are theirs', 'The room is theirs']) {
    await shows(words);
  }
  await eventually(async () => {
    await page.keys([Key.CONTROL], 's');
    for (const words of ['You run my quiz.', 'You are theirs', 'The room is theirs']) {
      expect(file()).toContain(words);
    }
  });

  const listed = JSON.parse(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)) as {
    id: number;
    name: string;
  }[];
  expect(listed.map(({ name }) => name)).toContain('From disk, before yours was saved');
  const exported = listed.map(({ id }) => promptdeck(['snapshot', 'export', String(id)], home.env));
  expect(exported.join('\n'), 'the version given up is in a snapshot').toContain('You are mine.');
});

test('a damaged file is left alone, loaded once it is whole, and overwritten on purpose', async () => {
  const { page } = studio;
  const footer = () => page.content('footer');
  const whole = file();
  const slip = whole.replace('",\n', '"\n');
  expect(slip).not.toBe(whole);
  writeFileSync(path(), slip);
  await page.sees(CONFLICT);
  expect(await page.content(CONFLICT)).toContain(`${FILE} was damaged on disk`);
  expect(await page.content(CONFLICT)).toMatch(/line \d+, column \d+/);
  await studio.picture('damaged');
  await page.keys([Key.CONTROL], 's');
  expect(file()).toBe(slip);

  const mended = whole.replace('The room is theirs', 'The room is mended');
  writeFileSync(path(), mended.replace('"assembly_order": [', '"assembly_order": ["nothing", '));
  await shows('The room is mended');
  await eventually(async () => {
    expect(await page.count(CONFLICT)).toBe(0);
    expect(await footer()).toMatch(/\d (error|warning)/);
    expect(await footer()).toContain('Saved');
    expect(await footer()).not.toContain('Changed on disk');
  });
  writeFileSync(path(), mended);
  await eventually(async () => {
    expect(await footer()).not.toMatch(/\d (error|warning)/);
  });

  writeFileSync(path(), slip);
  await page.sees(CONFLICT);
  await page.pressWords('Overwrite');
  const copy = FILE.replace('.json', '.damaged-1.json');
  await eventually(async () => {
    expect(await page.content('.notices')).toContain(`The damaged file is kept as ${copy}.`);
    expect(await page.count(CONFLICT)).toBe(0);
  });
  expect(readFileSync(join(home.registries, copy), 'utf8')).toBe(slip);
  expect(file()).toContain('The room is mended');
});

test('killed in the middle of the work, it comes back with what was typed', async () => {
  const before = file();
  await studio.page.type(VENUE, 'the old mill');
  await studio.page.type(TEXT, 'You run the last quiz.');
  await shows('You run the last quiz.');
  await eventually(async () => {
    expect(await studio.page.content('footer')).toContain('draft saved');
  });
  // That may have been the draft of half a sentence; a second later nothing can be missing.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await studio.kill(home);
  expect(file()).toBe(before);

  await reopen();
  await studio.page.showRaw();
  await shows('You run the last quiz.');
  await shows('at the old mill.');
  expect(await studio.page.read(VENUE)).toBe('the old mill');
  expect(await studio.page.content('.notices')).toContain('Restored your unsaved edits');
});
