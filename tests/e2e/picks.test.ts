// What is rolled, and how it is held: variants counted and picked, values frozen one by one and all
// at once, relations that contradict each other, and what all of it makes of the file.
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './opened';
import { eventually } from './patience';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

opens(['Trivia Host', FILE]);

beforeAll(() => studio.hands.showRaw());

const digits = (words: string): string => /[\d,]+/.exec(words)?.[0].replaceAll(',', '') ?? '';

test('variants are as many as the command line counts; one of them becomes the prompt', async () => {
  const { hands } = studio;
  await hands.showTab('Variants');
  await hands.sees('button[aria-label^="Use variant of seed"]');
  const counted = JSON.parse(
    promptdeck(['variants', join(home.registries, FILE), '--count', '--format', 'json'], home.env),
  ) as { ordered: string };
  expect(digits(await hands.content('[role=tabpanel] .tool-row'))).toBe(counted.ordered);
  await studio.picture('variants');

  const [use = ''] = await hands.all('button[aria-label^="Use variant of seed"]', 'aria-label');
  const row = `.variant:has(button[aria-label="${use}"]) > [title]`;
  const [words = ''] = await hands.all(row, 'title');
  await hands.press(use);
  await hands.showTab('Prompt');
  await eventually(async () => {
    expect(await hands.prompt()).toBe(words);
  });
  expect(await hands.read('Seed')).toBe(digits(use));
});

test('one frozen value stays when the rest is rolled; all frozen, nothing moves', async () => {
  const { hands } = studio;
  const slider = (prompt: string) => /intensity is (\d+)/.exec(prompt)?.[1];
  const held = slider(await hands.prompt());
  const before = await hands.count('[data-card] button[aria-label^="Lock "]');
  const [lock = ''] = await hands.all(
    '[data-card="sentiment"] button[aria-label^="Lock "]',
    'aria-label',
  );
  await hands.press(lock);
  await eventually(async () => {
    expect(await hands.count('[data-card] button[aria-label^="Lock "]')).toBe(before - 1);
  });
  for (let roll = 0; roll < 3; roll += 1) {
    const seed = await hands.read('Seed');
    await hands.press('Roll');
    await eventually(async () => {
      expect(await hands.read('Seed')).not.toBe(seed);
    });
    expect(slider(await hands.prompt())).toBe(held);
  }

  // Lists of several items that were rolled apart are no one mode; those of one are.
  await hands.check('examples', 'reveals', false);
  await eventually(async () => {
    const locks = await hands.all(
      '[data-card="examples"] button[aria-label^="Lock items "]',
      'aria-label',
    );
    expect(locks).toHaveLength(1);
    expect(locks[0]).not.toContain(' / ');
  });
  await hands.keys([Key.CONTROL], 'l');
  await eventually(async () => {
    expect(await hands.count('[data-card] button[aria-label^="Lock "]')).toBe(0);
  });
  const frozen = await hands.prompt();
  const seed = await hands.read('Seed');
  await hands.press('Roll');
  await eventually(async () => {
    expect(await hands.read('Seed')).not.toBe(seed);
  });
  expect(await hands.prompt()).toBe(frozen);
});

test('what is required and excluded at once is told where it stands', async () => {
  const { hands } = studio;
  await hands.menu('personas actions', 'Edit items');
  await hands.press('Edit deadpan');
  for (const kind of ['requires', 'excludes']) {
    await hands.pressWords('Field');
    await hands.pressWords(kind);
    await hands.type(
      `Add to personas.deadpan.${kind}`,
      `sentiment.positive${Key.ARROW_DOWN}${Key.ENTER}`,
    );
    await hands.sees(`ul[aria-label="personas.deadpan.${kind}"] li`);
  }
  await eventually(async () => {
    expect(await hands.content('[data-card="personas"]')).toContain('it can never be rolled');
  });
  await studio.picture('relations');
  await hands.press('Remove sentiment.positive from excludes');
  await eventually(async () => {
    expect(await hands.content('[data-card="personas"]')).not.toContain('it can never be rolled');
  });
});

test('the difference to the file is what saving writes', async () => {
  const { hands } = studio;
  await hands.showTab('JSON');
  await hands.pressIn('View', 'Diff to file');
  await hands.sees('[role=tabpanel] .added');
  const added = (await hands.lines('[role=tabpanel] .added')).join('\n');
  expect(added).toContain('"requires"');
  await studio.picture('json-diff');
  await hands.keys([Key.CONTROL], 's');
  await eventually(async () => {
    expect(await hands.content('[role=tabpanel]')).toContain(
      'No differences: the file is up to date.',
    );
  });
});
