// Registries brought in: from a file, from the clipboard, dropped on the window; what had to be
// changed is told, and what came in prints what the command line prints.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(() => studio.page.showRaw());

/** A registry of promptlibretto 0.8: its own way of selecting, of variables and of modes. */
const older = (place: string) =>
  JSON.stringify({
    version: 2,
    title: `Older ${place}`,
    assembly_order: ['base_context', 'rules'],
    base_context: {
      items: [
        { id: 'shop', text: `Behind the counter at {place}, ${place}.`, template_vars: ['place'] },
      ],
    },
    rules: { items: [{ id: 'r', text: 'Say it once.', condition: 'never' }] },
    default_state: { base_context: { selected: 'shop' } },
  });

/** Waits for the report of an import and leaves it; gives what it says. */
const reported = async (): Promise<string> => {
  const dialog = 'dialog[open]';
  await eventually(async () => {
    expect(await studio.page.content(`${dialog} h2`)).toContain('Imported as');
  });
  const words = await studio.page.content(dialog);
  await studio.page.pressInDialog('Close');
  return words;
};

/** The window shows the registry of that file, as the command line prints it. */
const shows = (file: string, words: string): Promise<void> =>
  eventually(async () => {
    const prompt = await studio.page.prompt();
    expect(prompt).toContain(words);
    const seed = await studio.page.read('Seed');
    expect(prompt).toBe(
      promptdeck(['hydrate', join(home.registries, file), '--seed', seed], home.env),
    );
  });

test('a file of an older version comes in with a report of what was changed', async () => {
  const path = join(home.folder, 'corner shop.json');
  writeFileSync(path, older('Mill Lane'));
  await studio.page.keys([Key.CONTROL], 'i');
  await studio.page.give('Choose a file', path);
  const report = await reported();
  expect(report).toContain('schema 2');
  expect(report).toMatch(/Converted|Different output/);
  await shows('corner_shop.json', 'Mill Lane');
  expect(readFileSync(path, 'utf8'), 'what was imported is left as it was').toBe(
    older('Mill Lane'),
  );
});

test('JSON pasted anywhere but into a field is offered, mended and imported', async () => {
  const text = older('Quay Street');
  studio.copy(text.slice(0, -1));
  await studio.page.press('Collapse base_context');
  await studio.page.keys([Key.CONTROL], 'v');
  await studio.page.pressInDialog('Import');
  await eventually(async () => {
    expect(await studio.page.content('dialog[open] [role=alert]')).toMatch(
      /^[^]*line 1, column \d+(?![^]*column)/i,
    );
  });
  await studio.page.type('Registry as JSON', text);
  await studio.page.pressInDialog('Import');
  await reported();
  await shows('older_quay_street.json', 'Quay Street');
});

test('a file dropped on the window is imported', async () => {
  // A drag from another program can't be driven; the page is told of it as the engine would.
  await studio.window.executeScript(
    `const files = new DataTransfer();
    files.items.add(new File([arguments[0]], 'dropped.json', { type: 'application/json' }));
    for (const kind of ['dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    }`,
    older('Dock Road'),
  );
  await reported();
  await shows('dropped.json', 'Dock Road');
});
