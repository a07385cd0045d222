// Rows of fields by the keyboard alone: Tab goes from value to value, the buttons of a row are behind
// the end of its field and, for all rows, one stop behind the last.
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Night Stream', 'night_stream.json']);

beforeAll(async () => {
  studio.pointer.focus();
  await studio.page.sees('[aria-label="Evaluated prompt"]');
  await studio.pointer.park();
});

const at = (name: string) =>
  eventually(async () => {
    expect(await studio.page.focused()).toBe(name);
  });

/** Presses keys one after the other; each leads to what has this name. */
const leads = async (...steps: [key: string, name: string][]): Promise<void> => {
  for (const [key, name] of steps) {
    studio.pointer.key(key);
    await at(name);
  }
};

const variable = (name: string) => `base_context variable ${name}`;

test('variables are filled one after the other with Tab alone', async () => {
  const { page, pointer } = studio;
  await pointer.click(`[aria-label="${variable('game')}"]`);
  pointer.key('ctrl+a');
  pointer.type('Deep Dive');
  pointer.key('Tab');
  await at(variable('viewers'));
  pointer.type('forty');
  pointer.key('Tab');
  await at(variable('weather'));
  pointer.type('rain');
  await eventually(async () => {
    expect(await page.read(variable('game'))).toBe('Deep Dive');
    expect(await page.read(variable('viewers'))).toBe('forty');
    expect(await page.read(variable('weather'))).toBe('rain');
  });
  await studio.picture('row-tools');
});

test('the buttons of a variable are behind its value and behind the last one', async () => {
  await studio.pointer.click(`[aria-label="${variable('viewers')}"]`);
  await leads(
    ['End', variable('viewers')],
    ['Right', 'Set as the default of viewers'],
    ['Right', 'Rename variable viewers'],
    ['Up', 'Rename variable game'],
    ['Down', 'Rename variable viewers'],
    ['Left', 'Set as the default of viewers'],
    ['Left', variable('viewers')],
    ['Right', 'Set as the default of viewers'],
    ['Tab', variable('weather')],
    ['Tab', 'Set as the default of weather'],
    ['Up', 'Set as the default of viewers'],
    ['shift+Tab', variable('viewers')],
    // Within a value the arrow moves the caret.
    ['Home', variable('viewers')],
    ['Right', variable('viewers')],
  );
  await studio.picture('row-tools-focus');
});

test('a value takes several lines, pasted or made by Return', async () => {
  const { page, pointer } = studio;
  const field = variable('viewers');
  const reads = (value: string) =>
    eventually(async () => {
      expect(await page.read(field)).toBe(value);
    });
  await pointer.click(`[aria-label="${field}"]`);
  const before = await page.read(field);
  studio.copy('two\nlines');
  pointer.key('ctrl+a', 'ctrl+v');
  await reads('two\nlines');
  pointer.type(' and');
  pointer.key('Return');
  pointer.type('more');
  await reads('two\nlines and\nmore');
  await studio.picture('variable-lines');
  await eventually(async () => {
    if ((await page.read(field)) !== before) pointer.key('ctrl+z');
    expect(await page.read(field)).toBe(before);
  });
});

test('a variable is renamed by the keyboard', async () => {
  const { pointer } = studio;
  pointer.key('End', 'Right', 'Right');
  await at('Rename variable viewers');
  pointer.key('Return');
  await studio.page.sees('input[aria-label="Rename variable viewers"]');
  pointer.type('crowd');
  pointer.key('Return');
  await at(variable('crowd'));
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await studio.page.count(`[aria-label="${variable('viewers')}"]`)).toBe(1);
  });
});

test('Tab leads from an entry of the assembly to its own menu', async () => {
  const { pointer } = studio;
  const entry = 'personas.habits';
  await pointer.click('input[aria-label="Add entry"]');
  pointer.key('Escape', 'shift+Tab', 'shift+Tab', 'Home', 'Down', 'Down');
  await at(entry);
  await pointer.park();
  await leads(['Tab', `Entry ${entry} actions`], ['shift+Tab', entry]);
});

test('entries and fields of an item are filled with Tab, and removed from the end of a row', async () => {
  const { page, pointer } = studio;
  await page.openRegistry('Trivia Host', 'trivia_host.json');
  await page.command('personas.deadpan');
  await at('personas.deadpan.context');
  const entry = (index: number) => `personas.deadpan.base_directives entry ${String(index + 1)}`;
  pointer.key('Tab');
  await at(entry(0));
  pointer.key('Tab');
  await at(entry(1));
  const entries = () => page.count('[aria-label^="personas.deadpan.base_directives entry "]');
  const before = await entries();
  pointer.key('End', 'Right');
  await at('Remove entry 2');
  await studio.picture('row-tools-entries');
  pointer.key('Return');
  await eventually(async () => {
    expect(await entries()).toBe(before - 1);
  });
  await at(entry(0));
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await entries()).toBe(before);
  });
});

test('the expectations of a check are gone through with Tab, and removed from the end of a row', async () => {
  const { page, pointer } = studio;
  await page.showTab('Checks');
  await page.sees('[data-check]');
  await pointer.click('button[aria-label="Add check"]');
  await at('Name');
  pointer.type('rows');
  for (const row of [1, 2]) {
    await pointer.click('[data-add] button');
    await page.sees(`[data-expectation="${String(row)}"]`);
  }
  await pointer.click('[data-expectation="0"] textarea');
  pointer.type('a');
  await leads(
    ['Tab', 'Kind of expectation: contains'],
    ['Tab', 'Value'],
    ['Tab', 'Kind of expectation: contains'],
    ['Tab', 'Value'],
    // One stop behind the last row, from which arrows lead on.
    ['Tab', 'Remove expectation contains'],
    ['Up', 'Remove expectation contains'],
    ['Left', 'Value'],
    ['Right', 'Remove expectation contains'],
    ['Return', 'Remove expectation contains'],
  );
  await eventually(async () => expect(await page.count('[data-expectation]')).toBe(2));
});

test('the tool calls of a message are one stop behind their fields', async () => {
  const { page, pointer } = studio;
  await page.command('edit conversation');
  await page.sees('[data-call="0/id"]');
  await pointer.click('[data-call="0/id"]');
  await leads(
    ['End', 'Id of call 1 of message 2'],
    ['Right', 'Remove call 1 of message 2'],
    ['Left', 'Id of call 1 of message 2'],
    ['Tab', 'Function of call 1 of message 2'],
    ['Tab', 'Arguments of call 1 of message 2'],
    ['Tab', 'Remove call 1 of message 2'],
  );
});
