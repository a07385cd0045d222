// A registry that cannot be opened is mended in the window, by pointer and keys: the fault is read again
// while the author types, what was written survives the end of the program, and what another program
// writes meanwhile is not overwritten unasked.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { eventually } from './wait';
import { home, opens, reopen, studio } from './window-fixture';

const FILE = 'cut.json';
const DIALOG = 'dialog[open]';
/** A comma is missing after the title. */
const BROKEN = `{
  "title": "Cut short"
  "version": 22,
  "assembly_order": ["scene"],
  "scene": { "required": true, "items": [{ "id": "a", "text": "You are at the bar." }] }
}
`;
const WHOLE = BROKEN.replace('short"', 'short",');

const path = () => join(home.registries, FILE);

opens(['Trivia Host', 'trivia_host.json'], (home) => {
  writeFileSync(join(home.registries, FILE), BROKEN);
});

/** Opens the list, the damaged registry in it, and its text. */
const openText = async (): Promise<void> => {
  const { pointer } = studio;
  await pointer.click('button[aria-label^="Registry"]');
  await pointer.click(`[data-file="${FILE}"] .name`);
  await pointer.click('#files .mend button:last-child');
  await eventually(async () => {
    expect(
      await studio.window.executeScript(
        'return document.activeElement?.shadowRoot?.activeElement?.getAttribute("aria-label")',
      ),
    ).toBe(`Text of ${FILE}`);
  });
  pointer.focus();
};

const shows = (words: string | RegExp): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.content(DIALOG)).toMatch(words);
  });

const gone = (): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.count(DIALOG)).toBe(0);
  });

/** The lines in which the editor marks a fault. */
const marked = (): Promise<string[]> =>
  studio.window.executeScript(
    `const root = document.querySelector('${DIALOG} .editor').shadowRoot;
     return [...root.querySelectorAll('.cm-lintRange-error')].map((mark) => mark.textContent)`,
  );

test('what is written survives the end of the program', async () => {
  const { pointer } = studio;
  await openText();
  await shows(/Line 3, column 3: .*,/);
  expect(await marked()).toEqual(['"version": 22,']);
  for (const [width, height] of [
    [1280, 800],
    [800, 700],
  ] as const) {
    await studio.resize(width, height);
    for (const theme of ['light', 'dark']) {
      await studio.window.executeScript(
        'document.documentElement.dataset.theme = arguments[0]',
        theme,
      );
      await studio.picture(`damaged-text-${theme}-${String(width)}`);
    }
  }
  // The caret is at the fault, before the second key.
  pointer.type(', "x" ');
  await shows(/Line 3, column 9: /);
  await eventually(() => {
    expect(home.keeps('Cut short')).toBe(true);
    expect(home.keeps('\\"x\\"')).toBe(true);
  });
  expect(readFileSync(path(), 'utf8')).toBe(BROKEN);
  await studio.kill(home);
  await reopen();
  await studio.pointer.click('button[aria-label^="Registry"]');
  await studio.page.sees(`[data-file="${FILE}"] [title="Modified"]`);
  await studio.picture('damaged-text-marked');
  studio.pointer.key('Escape');
  await openText();
  await shows('Restored what you wrote before and did not save.');
  await studio.pointer.click(`${DIALOG} .foot button:first-child`);
  await shows(/Line 3, column 3: /);
  studio.pointer.key('Escape');
  await gone();
  studio.pointer.key('Escape');
});

test('a version of another program is replaced only when the author says so', async () => {
  await openText();
  const { pointer } = studio;
  pointer.key('ctrl+Home');
  pointer.type(' ');
  await pointer.keysArrived();
  const theirs = BROKEN.replace('short', 'elsewhere');
  writeFileSync(path(), theirs);
  await shows('Another program changed the file.');
  await studio.picture('damaged-text-changed');
  await pointer.click(`${DIALOG} .choices button:nth-child(2)`);
  await eventually(async () => {
    expect(await studio.page.count(`${DIALOG} .choices`)).toBe(0);
  });
  await pointer.click(`${DIALOG} .foot button:last-child`);
  await eventually(() => {
    expect(readFileSync(path(), 'utf8')).toBe(` ${BROKEN}`);
  });
  const copy = readdirSync(home.registries).find((name) => name.startsWith('cut.replaced'));
  expect(readFileSync(join(home.registries, copy ?? ''), 'utf8')).toBe(theirs);
  pointer.key('Escape');
  await gone();
  // The focus is in the list again, which Escape closes.
  await eventually(async () => {
    expect(await studio.page.focused()).toMatch(/Edit the text…/);
  });
  pointer.key('Escape');
});

test('the missing comma is typed, and saving opens the deck', async () => {
  await openText();
  const { pointer } = studio;
  pointer.key('ctrl+Home', 'Delete', 'Down', 'End');
  pointer.type(',');
  await shows('The text is a registry. Saving opens it.');
  expect(await marked()).toEqual([]);
  pointer.key('ctrl+s');
  await gone();
  await studio.page.sees(`button[aria-label^="Registry"][title$="${FILE}"]`);
  await eventually(async () => {
    expect(await studio.page.content('[aria-label="Evaluated prompt"]')).toContain(
      'You are at the bar.',
    );
  });
  expect(readFileSync(path(), 'utf8')).toBe(WHOLE);
});
