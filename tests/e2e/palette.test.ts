// Everything by the keyboard: the sheet of keys, the palette that has every action with its key, and
// the focus, which is never lost.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './opened';
import { eventually } from './patience';

opens(['Trivia Host', 'trivia_host.json']);

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.hands.read('Seed'));

/** What a row of the sheet or of the palette says, and the keys it shows. */
type Row = [label: string, keys: string[]];

const ROWS = `
  const [rows, label] = arguments;
  return [...document.querySelectorAll(rows)].map((row) => [
    row.querySelector(label).textContent.trim(),
    [...row.querySelectorAll('.keys')].map((keys) =>
      [...keys.querySelectorAll('kbd')].map((key) => key.textContent).join('+')),
  ]);`;

const OPTIONS = '[role=listbox][aria-label="Results"] [role=option]';

const sheet = () => studio.window.executeScript<Row[]>(ROWS, 'dialog[open] dl > div', 'dt');
const offered = () => studio.window.executeScript<Row[]>(ROWS, OPTIONS, '.ell');

const at = (name: string) =>
  eventually(async () => {
    expect((await studio.hands.focused()).trim()).toBe(name);
  });

/** Opens the palette with these letters; what it offers is there when it returns. */
const search = async (letters: string): Promise<void> => {
  await studio.hands.keys([Key.CONTROL], 'k');
  await studio.hands.type('Commands', letters);
  await eventually(async () => {
    expect((await offered()).length).toBeGreaterThan(0);
  });
};

test('the sheet of keys names each key, and the palette has it beside its action', async () => {
  const { hands } = studio;
  await hands.keys([], Key.F1);
  await hands.sees('dialog[open] dl > div');
  const named = await sheet();
  await hands.keys([], Key.ESCAPE);
  // What is done in a place, and not from everywhere, is no action.
  const inPlace = ['Switch to a pinned snapshot', 'Move a row', 'Edit an entry', 'Remove an entry'];
  const everywhere = named.filter(([label]) => ![...inPlace, 'Close'].includes(label));
  expect(named.length - everywhere.length).toBe(inPlace.length + 1);
  expect(everywhere.map(([label]) => label)).toEqual(
    expect.arrayContaining(['Save', 'Take snapshot', 'Run', 'Undo', 'Redo', 'Find in deck']),
  );

  await search('>');
  const rows = await offered();
  for (const [label, [key]] of everywhere) expect(rows).toContainEqual([label, [key]]);
  const keyed = rows.filter(([, keys]) => keys.length > 0);
  expect(keyed.map(([label]) => label).sort()).toEqual(everywhere.map(([label]) => label).sort());
  await hands.keys([], Key.ESCAPE);
});

test('what the menu of a card offers is in the palette', async () => {
  const { hands } = studio;
  await hands.open('sentiment actions');
  const entries = await hands.all(
    '[role=menu] [role=menuitem]:not([aria-disabled="true"])',
    'data-row',
  );
  await hands.keys([], Key.ESCAPE);
  expect(entries).toContain('Stop rolling the slider');
  for (const entry of entries) {
    await search(`${entry}: sentiment`);
    await eventually(async () => {
      expect((await offered()).map(([label]) => label)).toContain(`${entry}: sentiment`);
    });
    await hands.keys([], Key.ESCAPE);
  }
});

test('what is only a button or a switch elsewhere is in the palette as well', async () => {
  const { hands } = studio;
  for (const label of [
    'Show raw text',
    'Do not wrap lines',
    'Show only differences from the selection',
    'Reset column widths',
    'Lock seed',
    'Use the last seed',
    'Collapse all',
    'Copy prompt',
  ]) {
    await search(`>${label}`);
    await eventually(async () => {
      expect((await offered()).map(([each]) => each)).toContain(label);
    });
    await hands.keys([], Key.ESCAPE);
  }
  await hands.command('>show raw text');
  await hands.sees('pre[aria-label="Evaluated prompt"]');
  await hands.command('>show section colors');
  await hands.sees('[aria-label="Evaluated prompt"] .block');
});

test('the focus is where it was after the palette, the keys and a question', async () => {
  const { hands } = studio;
  await hands.command('>add entry');
  await at('Add entry');
  await hands.command('>show variants');
  await at('Add entry');
  await hands.keys([], Key.F1);
  await at('Close');
  await hands.keys([], Key.ENTER);
  await at('Add entry');
  await hands.command('delete section: examples');
  await at('Cancel');
  await hands.keys([], Key.ENTER);
  await at('Add entry');
});

test('the focus stays near what was taken away', async () => {
  const { hands } = studio;
  const tokens = () => hands.all('[data-token]', 'aria-label');
  const before = await tokens();
  const last = hands.words(`[data-token="${String(before.length - 1)}"]`);
  await hands.command('>add entry');
  await at('Add entry');
  await hands.keys([Key.SHIFT], Key.TAB);
  await hands.keys([Key.SHIFT], Key.TAB);
  await eventually(async () => {
    expect(await hands.focused()).toContain(await last);
  });
  await hands.keys([], Key.DELETE);
  await eventually(async () => {
    expect(await tokens()).toHaveLength(before.length - 1);
    expect(await hands.focused()).not.toBe('');
    expect(
      await studio.window.executeScript('return document.activeElement === document.body'),
    ).toBe(false);
  });
  await hands.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await tokens()).toHaveLength(before.length);
  });

  await hands.command('add variable: base_context');
  await at('Variable name');
  await hands.keys([], `barman${Key.ENTER}`);
  await at('base_context variable barman');
  await hands.command('personas.deadpan');
  await at('personas.deadpan.context');
  await hands.keys([], Key.TAB);
  await at('Remove field context');
  await hands.keys([], Key.ENTER);
  await at('personas.deadpan.base_directives entry 0');
});
