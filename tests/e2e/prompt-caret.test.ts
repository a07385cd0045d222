// The caret of an author who writes in the prompt: behind a variable that was just typed, where an undo of
// another text leads, and where it was when a dialog or a panel that was opened meanwhile goes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, promptText } from './printed-prompt';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILLER = Array.from({ length: 12 }, (_, n) => `Rule ${String(n)} of the house.`);
const DECK = {
  title: 'Ferry',
  assembly_order: ['role', 'tone', 'rules.items', 'end'],
  role: { items: [{ id: 'ines', text: 'You are Ines.' }] },
  tone: {
    template_vars: ['caller', 'mood'],
    items: [{ id: 'calm', text: 'Mind the calls.' }],
  },
  rules: { items: [{ id: 'all', items: FILLER }] },
  end: {
    template_vars: ['caller', 'mood'],
    items: [{ id: 'last', text: 'Greet the next traveller. Keep quiet.' }],
  },
};
const FILE = 'ferry.json';

opens(['Ferry', FILE], ({ registries }) => {
  writeFileSync(join(registries, FILE), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());
beforeEach(() => studio.pointer.park());

/** What the file holds once it is saved. */
const saved = async (section: string): Promise<string> => {
  studio.pointer.key('ctrl+s');
  await studio.pointer.keysArrived();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { registry } = JSON.parse(readFileSync(join(home.registries, FILE), 'utf8')) as {
    registry?: Record<string, { items: { text: string }[] }>;
  };
  return registry?.[section]?.items[0]?.text ?? '';
};

const holds = (section: string, text: string) =>
  eventually(async () => expect(await saved(section)).toBe(text));

/** The words of the text that is open and has the focus. */
const focused = () =>
  studio.window.executeScript<string | null>(
    `const { activeElement } = document;
     return activeElement.matches(arguments[0]) ? activeElement.textContent : null`,
    OPEN,
  );

test('variables without a value are typed within a sentence', async () => {
  const { pointer } = studio;
  await openAtEnd('Mind the calls.');
  pointer.type(' Note {caller} and {mood}.');
  await prints('Note  and .');
  await holds('tone', 'Mind the calls. Note {caller} and {mood}.');
  await leave();
});

test('one is typed into the middle of a word, and pasted at the end', async () => {
  const { pointer } = studio;
  await openAtEnd('Keep quiet.');
  pointer.key('Left', 'Left', 'Left', 'Left', 'Left', 'Left');
  pointer.type('X{mood}Y');
  await holds('end', 'Greet the next traveller. Keep X{mood}Yquiet.');
  pointer.key('End');
  studio.copy(' end {caller}');
  pointer.key('ctrl+v');
  await eventually(async () => expect(await promptText()).toContain('quiet. end'));
  pointer.type('tail');
  await holds('end', 'Greet the next traveller. Keep X{mood}Yquiet. end {caller}tail');
  pointer.key('ctrl+z');
  await holds('end', 'Greet the next traveller. Keep X{mood}Yquiet. end {caller}');
  pointer.type('zz');
  await holds('end', 'Greet the next traveller. Keep X{mood}Yquiet. end {caller}zz');
  await leave();
});

test('undo leads to the text that it changes, and what is typed next goes there', async () => {
  const { pointer } = studio;
  await openAtEnd('Rule 11 of the house.');
  pointer.type(' X1');
  await prints('Rule 11 of the house. X1');
  await openAtEnd('You are Ines.');
  pointer.type(' Y1');
  await prints('You are Ines. Y1');
  pointer.key('ctrl+z');
  await prints('You are Ines.\n');
  expect(await focused()).toBe('You are Ines.');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await focused()).toBe('Rule 11 of the house.'));
  pointer.type('Q');
  await prints('Rule 11 of the house.Q');
  pointer.key('ctrl+z', 'ctrl+shift+z');
  pointer.type('R');
  await prints('Rule 11 of the house.QR');
  await leave();
});

/** Opens something by keys, closes it by Esc, and types on. */
const goesOn = async (...keys: string[]) => {
  const { page, pointer } = studio;
  const layer = 'dialog[open], [role="dialog"][data-layer]';
  await openAtEnd('Rule 7 of the house.');
  pointer.type('y');
  await prints('Rule 7 of the house.y');
  pointer.key('Left');
  await pointer.keysArrived();
  const top = () =>
    studio.window.executeScript<number[]>(
      'return [...document.querySelectorAll(".scroll")].map((each) => each.scrollTop)',
    );
  const before = await top();
  pointer.key(...keys);
  await page.sees(layer);
  await pointer.keysArrived();
  pointer.key('Escape');
  await eventually(async () => expect(await page.count(layer)).toBe(0));
  pointer.type('z');
  await prints('Rule 7 of the house.zy');
  expect(await top(), keys.join()).toEqual(before);
  pointer.key('ctrl+z', 'ctrl+z');
  await prints('Rule 7 of the house.\n');
  await leave();
};

test('a dialog or a panel gives the caret back', async () => {
  for (const keys of ['F1', 'ctrl+k', 'ctrl+i', 'ctrl+alt+e', 'ctrl+shift+o']) await goesOn(keys);
});

test('the palette gives it back to what it does', async () => {
  const { page, pointer } = studio;
  await openAtEnd('Rule 7 of the house.');
  pointer.type('y');
  await prints('Rule 7 of the house.y');
  pointer.key('ctrl+k');
  await page.sees('dialog[open]');
  pointer.type('undo');
  pointer.key('Return');
  await prints('Rule 7 of the house.\n');
  pointer.type('w');
  await prints('Rule 7 of the house.w');
  pointer.key('ctrl+z');
  await leave();
});
