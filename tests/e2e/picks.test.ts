// What is rolled, and how it is held: variants counted and picked, values frozen one by one and all
// at once, relations that contradict each other, and what all of it makes of the file.
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

opens(['Trivia Host', FILE]);

beforeAll(() => studio.page.showRaw());

const digits = (words: string): string => /[\d,]+/.exec(words)?.[0].replaceAll(',', '') ?? '';

test('variants are as many as the command line counts; one of them becomes the prompt', async () => {
  const { page } = studio;
  await page.showTab('Variants');
  await page.sees('button[aria-label^="Use variant of seed"]');
  const counted = JSON.parse(
    promptdeck(['variants', join(home.registries, FILE), '--count', '--format', 'json'], home.env),
  ) as { ordered: string };
  expect(digits(await page.content('[role=tabpanel] .tool-row'))).toBe(counted.ordered);
  await studio.picture('variants');

  const [use = ''] = await page.all('button[aria-label^="Use variant of seed"]', 'aria-label');
  const row = `.variant:has(button[aria-label="${use}"]) > [title]`;
  const [words = ''] = await page.all(row, 'title');
  await page.press(use);
  await page.showTab('Prompt');
  await eventually(async () => {
    expect(await page.prompt()).toBe(words);
  });
  expect(await page.read('Seed')).toBe(digits(use));
});

test('one frozen value stays when the rest is rolled; all frozen, nothing moves', async () => {
  const { page } = studio;
  const slider = (prompt: string) => /intensity is (\d+)/.exec(prompt)?.[1];
  const lockedValue = slider(await page.prompt());
  const before = await page.count('[data-card] button[aria-label^="Lock "]');
  const [lock = ''] = await page.all(
    '[data-card="sentiment"] button[aria-label^="Lock "]',
    'aria-label',
  );
  await page.press(lock);
  await eventually(async () => {
    expect(await page.count('[data-card] button[aria-label^="Lock "]')).toBe(before - 1);
  });
  for (let roll = 0; roll < 3; roll += 1) {
    const seed = await page.read('Seed');
    await page.press('Roll');
    await eventually(async () => {
      expect(await page.read('Seed')).not.toBe(seed);
    });
    expect(slider(await page.prompt())).toBe(lockedValue);
  }

  // Lists of several items that were rolled apart are no one mode; those of one are.
  await page.check('examples', 'reveals', false);
  await eventually(async () => {
    const locks = await page.all(
      '[data-card="examples"] button[aria-label^="Lock items "]',
      'aria-label',
    );
    expect(locks).toHaveLength(1);
    expect(locks[0]).not.toContain(' / ');
  });
  await page.keys([Key.CONTROL], 'l');
  await eventually(async () => {
    expect(await page.count('[data-card] button[aria-label^="Lock "]')).toBe(0);
  });
  const frozen = await page.prompt();
  const seed = await page.read('Seed');
  await page.press('Roll');
  await eventually(async () => {
    expect(await page.read('Seed')).not.toBe(seed);
  });
  expect(await page.prompt()).toBe(frozen);
});

test('an item both required and excluded is reported in its place', async () => {
  const { page } = studio;
  await page.menu('personas actions', 'Edit items');
  await page.press('Edit deadpan');
  for (const kind of ['requires', 'excludes']) {
    await page.pressWords('Field');
    await page.pressWords(kind);
    await page.type(
      `Add to personas.deadpan.${kind}`,
      `sentiment.positive${Key.ARROW_DOWN}${Key.ENTER}`,
    );
    await page.sees(`ul[aria-label="personas.deadpan.${kind}"] li`);
  }
  await eventually(async () => {
    expect(await page.content('[data-card="personas"]')).toContain('it can never be rolled');
  });
  await studio.picture('relations');
  await page.press('Remove sentiment.positive from excludes');
  await eventually(async () => {
    expect(await page.content('[data-card="personas"]')).not.toContain('it can never be rolled');
  });
});

test('the difference to the file is what saving writes', async () => {
  const { page } = studio;
  await page.showTab('JSON');
  await page.pressIn('View', 'Diff to file');
  await page.sees('[role=tabpanel] .added');
  const added = (await page.lines('[role=tabpanel] .added')).join('\n');
  expect(added).toContain('"requires"');
  await studio.picture('json-diff');
  await page.keys([Key.CONTROL], 's');
  await eventually(async () => {
    expect(await page.content('[role=tabpanel]')).toContain(
      'No differences: the file is up to date.',
    );
  });
});
