// One session with the keyboard alone: no pointer is moved and none is pressed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

opens();

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.page.read('Seed'));

const file = (): string => readFileSync(join(home.registries, FILE), 'utf8');

/** Saves until the file holds what is expected of it: an edit may still be on its way. */
const saved = (check: () => void): Promise<void> =>
  eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    check();
  });

test('an item is found, opened and rewritten', async () => {
  const { page } = studio;
  await page.command('personas.deadpan');
  await eventually(async () => {
    expect(await page.focused()).toBe('personas.deadpan.context');
  });
  await page.keys([Key.CONTROL], 'a');
  await page.keys([], 'You speak in a whisper.');
  await saved(() => {
    expect(file()).toContain('You speak in a whisper.');
  });
});

test('undo and redo go over it', async () => {
  const { page } = studio;
  await page.command('>undo');
  await saved(() => {
    expect(file()).not.toContain('You speak in a whisper.');
  });
  await page.command('>redo');
  await saved(() => {
    expect(file()).toContain('You speak in a whisper.');
  });
});

test('a token is added and gone to', async () => {
  const { page } = studio;
  await page.command('>add entry');
  await eventually(async () => {
    expect(await page.focused()).toBe('Add entry');
  });
  await page.keys([], `prompt_endings.text${Key.ENTER}`);
  await saved(() => {
    expect(file()).toContain('"prompt_endings.text"');
  });
  await page.keys([Key.SHIFT], Key.TAB);
  await eventually(async () => {
    expect(await page.focused()).toContain('prompt_endings.text');
  });
});

test('everything rolled is rolled again, then locked', async () => {
  const { page } = studio;
  const seed = await page.read('Seed');
  await page.keys([Key.CONTROL], 'r');
  await eventually(async () => {
    expect(await page.read('Seed')).not.toBe(seed);
  });
  const rolled = '[data-card="personas"] .rolled-value';
  expect(await page.count(rolled)).toBeGreaterThan(0);
  await page.keys([Key.CONTROL], 'l');
  await eventually(async () => {
    expect(await page.count(rolled)).toBe(0);
  });
});

test('the sheet of keys opens and closes', async () => {
  const { page } = studio;
  const open = () =>
    studio.window.executeScript("return document.querySelector('dialog[open]') !== null");
  await page.keys([], Key.F1);
  await eventually(async () => {
    expect(await open()).toBe(true);
  });
  await page.keys([], Key.ESCAPE);
  await eventually(async () => {
    expect(await open()).toBe(false);
  });
});

test('a snapshot is taken', async () => {
  await studio.page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain(FILE);
  });
});

test('a deck is made from nothing, kept, compared, saved and exported', async () => {
  const { page } = studio;
  const at = (name: string) =>
    eventually(async () => {
      expect(await page.focused()).toBe(name);
    });
  await page.command('new registry');
  await page.sees('dialog[open] button[type=submit]:not(:disabled)');
  await page.keys([], Key.ENTER);
  await at('base_context.first.text');
  await page.keys([], 'A galley, far out at sea.');
  await page.command('edit title');
  await at('registry.title');
  await page.keys([Key.CONTROL], 'a');
  await page.keys([], 'Galley');
  await page.command('add section');
  await at('Section name');
  await page.keys([], `personas${Key.ENTER}`);
  await at('personas.first.context');
  await page.keys([], 'You are the captain.');

  await page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain(
      'untitled.json',
    );
  });
  await page.command('add item: personas');
  await at('personas.item.context');
  await page.keys([], 'You are the cook.');
  await page.command('edit title');
  await at('registry.title');
  await page.keys([], Key.TAB);
  await at('registry.description');
  await page.keys([], 'Two voices in a galley.');

  const path = join(home.registries, 'untitled.json');
  await eventually(async () => {
    await page.keys([Key.CONTROL], 's');
    const { registry } = JSON.parse(readFileSync(path, 'utf8')) as { registry: unknown };
    expect(registry).toMatchObject({
      title: 'Galley',
      description: 'Two voices in a galley.',
      assembly_order: ['base_context', 'personas'],
      personas: {
        items: [
          { id: 'first', context: 'You are the captain.' },
          { id: 'item', context: 'You are the cook.' },
        ],
      },
    });
  });
  await page.command('show compare');
  await page.sees('section[aria-label="State"]');
  await page.keys([Key.CONTROL], 'e');
  await eventually(() => {
    expect(JSON.parse(studio.clipboard())).toEqual(
      JSON.parse(promptdeck(['export', path], home.env)),
    );
  });
});
