// The menus of rows where a hand asks for them: at the pointer by a right press, at the row by the Menu
// key and Shift+F10. The browser's own menu opens for text alone.
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

const MENU = '[role=menu]:popover-open';

beforeAll(() => studio.pointer.focus());

const rightPress = async (selector: string, part?: { x: number }): Promise<void> => {
  await studio.pointer.hover(selector, part);
  studio.pointer.press(3);
  studio.pointer.release(3);
};

const entries = () => studio.page.all(`${MENU} [role=menuitem]`, 'data-row');

const opened = async (label: string, first: string): Promise<void> => {
  await studio.page.sees(`${MENU}[aria-label="${label}"]`);
  expect((await entries())[0]).toBe(first);
};

/** Closes the menu by Esc; what has the focus then, by its name. */
const closed = async (): Promise<string> => {
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count(MENU)).toBe(0);
  });
  return studio.page.focused();
};

const boxOf = (selector: string) =>
  studio.window.executeScript<DOMRect>(
    'return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()',
    selector,
  );

test('the Menu key and Shift+F10 open the menu of an entry at its row, and Esc returns to it', async () => {
  const token = '[data-token="2"]';
  await studio.window.executeScript('document.querySelector(arguments[0]).focus()', token);
  for (const key of ['Menu', 'shift+F10']) {
    studio.pointer.key(key);
    await opened('Entry personas.context actions', 'Edit entry');
    const [menu, row] = [await boxOf(MENU), await boxOf(token)];
    expect(Math.abs(menu.left - row.left)).toBeLessThan(8);
    expect(Math.abs(menu.top - row.bottom)).toBeLessThan(12);
    expect(await closed()).toBe('personas.context');
  }
});

test('an entry of the menu is taken by its keys', async () => {
  const token = (index: number) => studio.page.words(`[data-token="${String(index)}"]`);
  const [first, second] = [await token(1), await token(2)];
  studio.pointer.key('Menu');
  await studio.page.sees(MENU);
  studio.pointer.key('Down', 'Return');
  await eventually(async () => {
    expect([await token(1), await token(2)]).toEqual([second, first]);
  });
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect([await token(1), await token(2)]).toEqual([first, second]);
  });
});

test.each([
  ['an entry', '[data-token="1"]', 'Entry base_context.text actions', 'Edit entry'],
  ['the head of a card', '[data-card="sentiment"] > header', 'sentiment actions', 'Add item'],
  ['the body of a card', '[data-card="sentiment"] > .body', 'sentiment actions', 'Add item'],
])('a right press on %s opens its menu at the pointer', async (_what, row, label, first) => {
  await rightPress(row);
  await opened(label, first);
  const [menu, box] = [await boxOf(MENU), await boxOf(row)];
  expect(Math.abs(menu.left - (box.x + box.width / 2))).toBeLessThan(6);
  expect(Math.abs(menu.top - (box.y + box.height / 2))).toBeLessThan(10);
  // A right press on another row opens that one's in its place.
  await rightPress('[data-card="personas"] > header');
  await opened('personas actions', 'Add item');
  expect(await studio.page.count(MENU)).toBe(1);
  await closed();
});

test('a card that has the focus as a whole has its menu below its head, and keeps the focus', async () => {
  await studio.page.command('@sentiment');
  const isFocused = () =>
    studio.window.executeScript<boolean>(
      `return document.activeElement?.dataset.card === 'sentiment'`,
    );
  for (const key of ['shift+F10', 'Menu']) {
    await eventually(async () => {
      expect(await isFocused()).toBe(true);
    });
    studio.pointer.key(key);
    await opened('sentiment actions', 'Add item');
    const [menu, head] = [await boxOf(MENU), await boxOf('[data-card="sentiment"] > header')];
    expect(Math.abs(menu.left - head.left)).toBeLessThan(8);
    expect(Math.abs(menu.top - head.bottom)).toBeLessThan(12);
    await closed();
  }
  expect(await isFocused()).toBe(true);
});

test('a card has its menu by the Menu key', async () => {
  await studio.window.executeScript(
    `document.querySelector('[data-card="sentiment"] [aria-expanded]').focus()`,
  );
  studio.pointer.key('Menu');
  await opened('sentiment actions', 'Add item');
  await studio.picture('context-menu-card');
  expect(await closed()).toBe('Collapse sentiment');
});

test('an item has a menu that renames, copies, moves and deletes it', async () => {
  const { page, pointer } = studio;
  await page.menu('personas actions', 'Edit items');
  const row = (index: number) =>
    `[aria-label="Items of personas"] > [data-order]:nth-child(${String(index)})`;
  const names = () => page.lines('[aria-label="Items of personas"] > [data-order] .mono.ell');
  await rightPress(`${row(2)} .row-line`, { x: 0.4 });
  await opened(`${(await names())[1] ?? ''} actions`, 'Edit');
  await studio.picture('context-menu-item');
  expect(await entries()).toEqual([
    'Edit',
    'Rename',
    'Duplicate',
    'Move up',
    'Move down',
    'Delete',
  ]);
  const before = await names();
  pointer.key('Down', 'Down', 'Down', 'Return');
  await eventually(async () => {
    expect(await names()).toEqual([before[1], before[0], ...before.slice(2)]);
  });
  expect(await page.focused()).toBe(`Edit ${before[1] ?? ''}`);
  pointer.key('Menu');
  await opened(`${before[1] ?? ''} actions`, 'Edit');
  pointer.key('Down', 'Return');
  await eventually(async () => {
    expect(await page.focused()).toBe('Item name');
  });
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect((await names()).slice(-1)).toEqual(before.slice(-1));
  });
});

test('a file and a sub-folder have their menus in the list', async () => {
  const { page, pointer } = studio;
  await pointer.click('[data-files]');
  await page.sees('[role=treegrid] [data-file]');
  await rightPress('[data-file="night_stream.json"] .name');
  await opened('Night Stream actions', 'Open');
  await studio.picture('context-menu-file');
  await closed();
  pointer.key('Menu');
  await page.sees(MENU);
  await closed();
  pointer.key('Escape');
});

test('the browser’s menu opens in a text, and nowhere else', async () => {
  const { page, pointer } = studio;
  const alone = pointer.windows();
  const isWindow = (count: number) =>
    eventually(async () => {
      expect(pointer.windows()).toBe(count);
      return Promise.resolve();
    });
  for (const place of ['footer', '.col-head h2']) {
    await rightPress(place);
    // As long as it would take to open.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(pointer.windows(), place).toBe(alone);
    expect(await page.count(MENU), place).toBe(0);
  }
  await pointer.click('[aria-label="base_context variable venue"]');
  await rightPress('[aria-label="base_context variable venue"]');
  await isWindow(alone + 1);
  await studio.picture('browser-menu');
  expect(await page.count(MENU)).toBe(0);
  pointer.key('Escape');
  await isWindow(alone);
});
