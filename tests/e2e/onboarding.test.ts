// The first screen: a folder without a registry says that it has none and offers to
// make one, which is typed into at once.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(undefined, ({ registries }) => {
  for (const name of readdirSync(registries)) {
    rmSync(join(registries, name), { recursive: true });
  }
});

test('an empty folder offers the way on', async () => {
  const { page } = studio;
  await eventually(async () => {
    expect(await page.content('main')).toContain('No registries in this folder');
  });
  await studio.picture('empty-folder');
  await page.pressWords('Bring what you have');
  await page.sees('dialog[open] textarea');
  await page.keys([], Key.ESCAPE);
  await eventually(async () => {
    expect(await page.count('dialog[open]')).toBe(0);
  });
  await page.pressWords('New registry…');
  await page.pressInDialog('Create deck');
  await eventually(async () => {
    expect(await page.focused()).toBe('base_context.first.text');
  });
  await page.keys([], 'A house by the sea.');
  await eventually(async () => {
    expect(await page.content('[aria-label="Evaluated prompt"]')).toContain('A house by the sea.');
  });
  const path = join(home.registries, 'untitled.json');
  await eventually(async () => {
    await page.keys([Key.CONTROL], 's');
    expect(existsSync(path) && readFileSync(path, 'utf8')).toContain('A house by the sea.');
  });
});
