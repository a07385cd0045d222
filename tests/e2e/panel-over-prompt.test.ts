// Panels that open above a text of the prompt while its caret is in it: keys stay in the panel, whatever
// becomes of the prompt behind it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { OPEN, leave, openAtEnd, prints, promptText } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'end'],
  scene: { items: [{ id: 'landing', text: 'The ferry at dusk.' }] },
  end: { items: [{ id: 'greet', text: 'Greet the next traveller.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

/** Which row of the panel has the focus. */
const focusedRow = () =>
  studio.window.executeScript<string | null>(
    `return document.activeElement?.closest('#snapshots [role=option]')?.dataset.id ?? null`,
  );

const onRow = () =>
  eventually(async () => {
    expect(await focusedRow()).not.toBeNull();
  });

beforeAll(async () => {
  const { page, pointer } = studio;
  pointer.focus();
  await page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(async () => {
    expect(await page.count('.notices .notice')).toBeGreaterThan(0);
  });
});

test('after a switch and its undo in the panel of snapshots, keys go to its list', async () => {
  const { pointer, page } = studio;
  await openAtEnd('The ferry at dusk.');
  pointer.type(' Ahoy.');
  await prints('Ahoy.');
  const typed = await promptText();
  pointer.key('ctrl+shift+o');
  await onRow();
  pointer.key('Return');
  await eventually(async () => {
    expect(await promptText()).not.toContain('Ahoy.');
  });
  const switched = await promptText();
  await onRow();
  pointer.key('x', 'Down', 'BackSpace');
  await onRow();
  expect(await promptText()).toBe(switched);
  pointer.key('ctrl+z');
  await prints('Ahoy.');
  await onRow();
  pointer.key('x', 'Down');
  await onRow();
  expect(await promptText()).toBe(typed);
  // Enter switches again and writes no line.
  pointer.key('Return');
  await eventually(async () => {
    expect(await promptText()).toBe(switched);
  });
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.count('#snapshots')).toBe(0);
    expect(await page.lines(OPEN)).toHaveLength(1);
  });
  pointer.type(' Back.');
  await prints('dusk. Back.');
  await leave();
});

test('an undo behind the list of files leaves the keys there', async () => {
  const { pointer, page } = studio;
  await openAtEnd('dusk. Back.');
  pointer.type('!');
  await prints('Back.!');
  await page.press('Registry');
  await page.sees('[role=treegrid] [data-file]');
  pointer.key('ctrl+z');
  await page.sees('.notices .notice');
  pointer.key('x');
  await eventually(async () => {
    expect(await page.read('Filter registries')).toBe('x');
  });
  expect(await promptText()).toContain('Back.!');
  pointer.key('Escape', 'Escape');
});
