// The whole window by Tab and back by Shift+Tab, with real keys and the pointer parked elsewhere: in
// every tab, in what opens in the deck and in every dialog the focus never falls out of the window,
// reaches each landmark, and goes back through the stops it came by.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

/** More than any place of the window has. */
const AT_MOST = 600;
const BATCH = 30;

/** Notes after each Tab where the focus is: a number for the element, its landmark, its name. */
const RECORD = `
  const numbers = new WeakMap();
  let next = 1;
  window.tabStops = [];
  window.tabStopOf = (element) => {
    if (!element || element === document.body || !document.hasFocus()) return 'nothing';
    if (!numbers.has(element)) numbers.set(element, next++);
    const landmark = element.closest('dialog, [data-column], header.topbar, footer, [popover]');
    const name = landmark?.dataset.column ?? landmark?.className.split(' ')[0] ?? 'none';
    const words = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
    return numbers.get(element) + ' ' + (landmark?.tagName === 'DIALOG' ? 'dialog' : name) + ': ' + words;
  };
  addEventListener('keyup', (event) => {
    if (event.code === 'Tab') window.tabStops.push(window.tabStopOf(document.activeElement));
  }, true);
`;

/** Presses Tab so many times, and tells where the focus was after each. */
const tab = async (times: number, back: boolean): Promise<string[]> => {
  await studio.window.executeScript('window.tabStops = []');
  const stops: string[] = [];
  while (stops.length < times) {
    const count = Math.min(BATCH, times - stops.length);
    studio.pointer.key(...Array<string>(count).fill(back ? 'shift+Tab' : 'Tab'));
    await eventually(async () => {
      const now = await studio.window.executeScript<string[]>('return window.tabStops');
      expect(now, 'a key did not come back: the focus left the window').toHaveLength(
        stops.length + count,
      );
      stops.push(...now.slice(stops.length));
    });
  }
  return stops;
};

/** Goes round by Tab from the first stop to itself, then round the other way. */
const round = async (first: string): Promise<string[]> => {
  const start = await studio.window.executeScript<string>(
    `const element = document.querySelector(arguments[0]);
     element.focus();
     return window.tabStopOf(element);`,
    first,
  );
  const forward: string[] = [start];
  while (forward.length < AT_MOST) {
    const more = await tab(BATCH, false);
    const end = more.indexOf(start);
    forward.push(...(end < 0 ? more : more.slice(0, end)));
    if (end < 0) continue;
    // As far as it went past the start.
    await tab(more.length - end - 1, true);
    break;
  }
  expect(
    forward.filter((stop) => stop === 'nothing'),
    'stops at nothing',
  ).toEqual([]);
  expect(new Set(forward).size, 'a stop comes twice: the focus is caught').toBe(forward.length);
  const back = await tab(forward.length, true);
  expect(back).toEqual([...forward.slice(1).toReversed(), start]);
  return forward;
};

const landmarks = (stops: string[]) =>
  new Set(stops.map((stop) => /^\d+ ([^:]+):/.exec(stop)?.[1] ?? stop));

const counted: Record<string, number> = {};

beforeAll(async () => {
  studio.pointer.focus();
  await studio.page.sees('[aria-label^="Tokens per section"] > i');
  await studio.pointer.park();
  await studio.window.executeScript(RECORD);
});

afterAll(() => {
  const total = Object.values(counted).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(counted).map(([place, count]) => `${place} ${String(count)}`);
  console.log(`${String(total)} stops by Tab: ${each.join(', ')}`);
});

const command = (letters: string) => () => studio.page.command(letters);
const sees = (selector: string) => studio.page.sees(selector);

/** A place of the window and how it is come to. */
const places: [name: string, come: () => Promise<unknown>][] = [
  ['the deck', () => Promise.resolve()],
  [
    'a variable with a value, an item, its fields',
    async () => {
      await studio.page.type('base_context variable venue', 'The Old Mill');
      await studio.page.menu('base_context actions', 'Edit items');
      await studio.page.press('Edit pub_night');
      await sees('[aria-label^="Fragment 1 condition"]');
    },
  ],
  [
    'the settings',
    async () => {
      for (const card of ['Registry', 'Routes', 'Generation', 'Output policy']) {
        await studio.page.press(`Expand ${card}`);
      }
    },
  ],
  [
    'the tab Chat',
    async () => {
      // The deck has been gone through; from here on its heads are enough.
      await studio.page.press('Collapse all');
      await studio.page.command('show chat');
    },
  ],
  ['the tab Request', command('show request')],
  ['the tab Run', command('show run')],
  ['the tab Variants', command('show variants')],
  ['the tab Compare', command('show compare')],
  ['the tab JSON', command('show json')],
  ['the conversation', command('edit conversation')],
];

test.each(places)('%s', async (name, come) => {
  await come();
  await studio.pointer.park();
  const stops = await round('header.topbar button');
  counted[name] = stops.length;
  expect([...landmarks(stops)]).toEqual(
    expect.arrayContaining(['topbar', 'assembly', 'deck', 'preview']),
  );
});

test.each([
  ['a tab', '[role=tab][aria-selected="false"]'],
  ['a choice side by side', '[role=radio][aria-checked="false"]'],
  ['an icon', 'button[aria-label="Roll"]'],
])('Shift+Tab leaves %s that was pressed', async (_what, selector) => {
  await studio.page.showTab('Prompt');
  await studio.pointer.click(selector);
  await studio.pointer.park();
  const pressed = await studio.window.executeScript<string>(
    'return window.tabStopOf(document.activeElement)',
  );
  const [back] = await tab(1, true);
  expect(back).not.toBe(pressed);
  expect(await tab(1, false), 'Tab comes back to it').toEqual([pressed]);
});

const dialogs: [name: string, come: () => Promise<unknown>, first: string][] = [
  ['the keys', () => Promise.resolve(studio.pointer.key('F1')), 'button'],
  ['an import', () => Promise.resolve(studio.pointer.key('ctrl+i')), 'button'],
  ['a connection', command('>add a connection'), 'input, button'],
  ['deleting a section', command('delete section: examples'), 'button'],
  ['the palette', () => Promise.resolve(studio.pointer.key('ctrl+k')), 'input'],
];

test.each(dialogs)('the dialog of %s', async (name, come, first) => {
  await come();
  await sees('dialog[open]');
  await studio.pointer.park();
  const stops = await round(`dialog[open] :is(${first}):not(:disabled, [tabindex="-1"])`);
  counted[name] = stops.length;
  expect([...landmarks(stops)]).toEqual(['dialog']);
  expect(await studio.page.count('dialog:focus'), 'the dialog as a whole is a stop').toBe(0);
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count('dialog[open]')).toBe(0);
  });
  expect(
    await studio.window.executeScript('return document.activeElement !== document.body'),
    'the focus is back in the window',
  ).toBe(true);
});
