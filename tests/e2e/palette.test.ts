// Everything by the keyboard: the sheet of keys, the palette that has every action with its key, and
// the focus, which is never lost.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

// Keys before the first registry is there go nowhere.
beforeAll(() => studio.page.read('Seed'));

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

const sheet = () =>
  studio.window.executeScript<Row[]>(ROWS, 'dialog[open] dl:first-of-type > div', 'dt');
const offered = () => studio.window.executeScript<Row[]>(ROWS, OPTIONS, '.ell');

const at = (name: string) =>
  eventually(async () => {
    expect((await studio.page.focused()).trim()).toBe(name);
  });

/** Opens the palette with these letters; what it offers is there when it returns. */
const search = async (letters: string): Promise<void> => {
  await studio.page.keys([Key.CONTROL], 'k');
  await studio.page.type('Commands', letters);
  await eventually(async () => {
    expect((await offered()).length).toBeGreaterThan(0);
  });
};

test('the sheet of keys names each key, and the palette has it beside its action', async () => {
  const { page } = studio;
  await page.keys([], Key.F1);
  await page.sees('dialog[open] dl > div');
  const named = await sheet();
  await page.keys([], Key.ESCAPE);
  // What is done in a place, and not from everywhere, is no action.
  const inPlace = [
    'Switch to a pinned snapshot',
    'Find whole words',
    'Find in the same case',
    'Move a row',
    'From the end of a field to the buttons of its row',
    'Open the menu of a row or card',
    'Edit an entry',
    'Remove an entry',
    'At its edge, into or out of a value in the prompt',
  ];
  const itself = 'Command palette';
  const everywhere = named.filter(([label]) => ![...inPlace, itself, 'Close'].includes(label));
  expect(named.length - everywhere.length).toBe(inPlace.length + 2);
  expect(everywhere.map(([label]) => label)).toEqual(
    expect.arrayContaining(['Save', 'Take snapshot', 'Run', 'Undo', 'Redo', 'Find in deck']),
  );

  await search('>');
  const rows = await offered();
  for (const [label, [key]] of everywhere) expect(rows).toContainEqual([label, [key]]);
  const keyed = rows.filter(([, keys]) => keys.length > 0);
  expect(keyed.map(([label]) => label).sort()).toEqual(everywhere.map(([label]) => label).sort());
  await page.keys([], Key.ESCAPE);
});

test('what the menu of a card offers is in the palette', async () => {
  const { page } = studio;
  await page.open('sentiment actions');
  const entries = await page.all(
    '[role=menu] [role=menuitem]:not([aria-disabled="true"])',
    'data-row',
  );
  await page.keys([], Key.ESCAPE);
  expect(entries).toContain('Stop rolling the slider');
  for (const entry of entries) {
    await search(`${entry}: sentiment`);
    await eventually(async () => {
      expect((await offered()).map(([label]) => label)).toContain(`${entry}: sentiment`);
    });
    await page.keys([], Key.ESCAPE);
  }
});

test('what is only a button or a switch elsewhere is in the palette as well', async () => {
  const { page } = studio;
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
    await page.keys([], Key.ESCAPE);
  }
  await page.command('>show raw text');
  await page.sees('pre[aria-label="Evaluated prompt"]');
  await page.command('>show section colors');
  await page.sees('[aria-label="Evaluated prompt"] .block');
});

test('the focus is where it was after the palette, the keys and a question', async () => {
  const { page } = studio;
  await page.command('>add entry');
  await at('Add entry');
  await page.command('>show variants');
  await at('Add entry');
  await page.keys([], Key.F1);
  await at('Close');
  await page.keys([], Key.ENTER);
  await at('Add entry');
  await page.command('delete section: examples');
  await at('Cancel');
  await page.keys([], Key.ENTER);
  await at('Add entry');
});

test('the focus stays near what was taken away', async () => {
  const { page } = studio;
  const tokens = () => page.all('[data-token]', 'aria-label');
  const before = await tokens();
  await page.command('>add entry');
  await at('Add entry');
  // The tools of the last entry, then the entries, of which the first is the stop.
  await page.keys([Key.SHIFT], Key.TAB);
  await page.keys([Key.SHIFT], Key.TAB);
  await at('output_prompt_directions');
  await page.keys([], Key.END);
  await at('prompt_endings');
  await page.keys([], Key.DELETE);
  await eventually(async () => {
    expect(await tokens()).toHaveLength(before.length - 1);
  });
  await at('runtime_injections');
  await page.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await tokens()).toHaveLength(before.length);
  });

  await page.command('add variable: base_context');
  await at('Variable name');
  await page.keys([], `barman${Key.ENTER}`);
  await at('base_context variable barman');
  await page.command('personas.deadpan');
  await at('personas.deadpan.context');
  await page.keys([], Key.END);
  await page.keys([], Key.ARROW_RIGHT);
  await at('Remove field context');
  await page.keys([], Key.ENTER);
  await at('personas.deadpan.base_directives entry 1');
});
