// One session with the keyboard alone: no pointer is moved and none is pressed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './opened';
import { eventually } from './patience';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

opens();

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.hands.read('Seed'));

const file = (): string => readFileSync(join(home.registries, FILE), 'utf8');

/** Saves until the file holds what is expected of it: an edit may still be on its way. */
const saved = (check: () => void): Promise<void> =>
  eventually(async () => {
    await studio.hands.keys([Key.CONTROL], 's');
    check();
  });

test('an item is found, opened and rewritten', async () => {
  const { hands } = studio;
  await hands.command('personas.deadpan');
  await eventually(async () => {
    expect(await hands.focused()).toBe('personas.deadpan.context');
  });
  await hands.keys([Key.CONTROL], 'a');
  await hands.keys([], 'You speak in a whisper.');
  await saved(() => {
    expect(file()).toContain('You speak in a whisper.');
  });
});

test('undo and redo go over it', async () => {
  const { hands } = studio;
  await hands.command('>undo');
  await saved(() => {
    expect(file()).not.toContain('You speak in a whisper.');
  });
  await hands.command('>redo');
  await saved(() => {
    expect(file()).toContain('You speak in a whisper.');
  });
});

test('a token is added and gone to', async () => {
  const { hands } = studio;
  await hands.command('>add entry');
  await eventually(async () => {
    expect(await hands.focused()).toBe('Add entry');
  });
  await hands.keys([], `prompt_endings.text${Key.ENTER}`);
  await saved(() => {
    expect(file()).toContain('"prompt_endings.text"');
  });
  await hands.keys([Key.SHIFT], Key.TAB);
  await eventually(async () => {
    expect(await hands.focused()).toContain('prompt_endings.text');
  });
});

test('everything rolled is rolled again, then locked', async () => {
  const { hands } = studio;
  const seed = await hands.read('Seed');
  await hands.keys([Key.CONTROL], 'r');
  await eventually(async () => {
    expect(await hands.read('Seed')).not.toBe(seed);
  });
  const rolled = '[data-card="personas"] .pick';
  expect(await hands.count(rolled)).toBeGreaterThan(0);
  await hands.keys([Key.CONTROL], 'l');
  await eventually(async () => {
    expect(await hands.count(rolled)).toBe(0);
  });
});

test('the sheet of keys opens and closes', async () => {
  const { hands } = studio;
  const open = () =>
    studio.window.executeScript("return document.querySelector('dialog[open]') !== null");
  await hands.keys([], Key.F1);
  await eventually(async () => {
    expect(await open()).toBe(true);
  });
  await hands.keys([], Key.ESCAPE);
  await eventually(async () => {
    expect(await open()).toBe(false);
  });
});

test('a snapshot is taken', async () => {
  await studio.hands.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain(FILE);
  });
});

test('a deck is made from nothing, kept, compared, saved and exported', async () => {
  const { hands } = studio;
  const at = (name: string) =>
    eventually(async () => {
      expect(await hands.focused()).toBe(name);
    });
  await hands.command('new registry');
  await at('base_context.first.text');
  await hands.keys([], 'A galley, far out at sea.');
  await hands.command('edit title');
  await at('registry.title');
  await hands.keys([Key.CONTROL], 'a');
  await hands.keys([], 'Galley');
  await hands.command('add section');
  await at('Section name');
  await hands.keys([], `personas${Key.ENTER}`);
  await at('personas.first.context');
  await hands.keys([], 'You are the captain.');

  await hands.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain(
      'untitled.json',
    );
  });
  await hands.command('add item: personas');
  await at('Item name');
  await hands.keys([], `cook${Key.ENTER}`);
  await at('personas.cook.context');
  await hands.keys([], 'You are the cook.');
  await hands.command('edit title');
  await at('registry.title');
  await hands.keys([], Key.TAB);
  await at('registry.description');
  await hands.keys([], 'Two voices in a galley.');

  const path = join(home.registries, 'untitled.json');
  await eventually(async () => {
    await hands.keys([Key.CONTROL], 's');
    const { registry } = JSON.parse(readFileSync(path, 'utf8')) as { registry: unknown };
    expect(registry).toMatchObject({
      title: 'Galley',
      description: 'Two voices in a galley.',
      assembly_order: ['base_context', 'personas'],
      personas: {
        items: [
          { id: 'first', context: 'You are the captain.' },
          { id: 'cook', context: 'You are the cook.' },
        ],
      },
    });
  });
  await hands.command('show compare');
  await hands.sees('section[aria-label="State"]');
  await hands.keys([Key.CONTROL], 'e');
  await eventually(() => {
    expect(JSON.parse(studio.clipboard())).toEqual(
      JSON.parse(promptdeck(['export', path], home.env)),
    );
  });
});
