// What a mouse does, as X events with the pointer over the control: menus that open on hovering,
// locks, grips, and what is left of the focus after each press.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

const FILE = 'trivia_host.json';

opens(['Trivia Host', FILE]);

beforeAll(() => studio.pointer.focus());

const order = () => studio.page.lines('[aria-label="Assembly order"] .name');
const focused = () =>
  studio.window.executeScript<string>(
    'return document.activeElement === document.body ? "the page" : document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()',
  );
interface Box {
  top: number;
  bottom: number;
}

const row = (index: number) => `[aria-label="Assembly order"] > li:nth-child(${String(index + 1)})`;

/** Opens the menu of a token by hovering its row and pressing, then presses an entry. */
const takeOfToken = async (index: number, entry: string) => {
  await studio.pointer.hover(`${row(index)} .name`);
  await studio.pointer.click(`${row(index)} button[aria-haspopup="menu"]`);
  await studio.pointer.click(`[role=menu] [data-row="${entry}"]`);
};

test('a token is moved down, up and removed by its menu', async () => {
  const before = await order();
  await takeOfToken(1, 'Move down');
  await eventually(async () => {
    expect((await order()).slice(0, 3)).toEqual([before[0], before[2], before[1]]);
  });
  expect(await focused()).toBe(`Entry ${before[1]!} actions`);
  await takeOfToken(2, 'Move up');
  await eventually(async () => {
    expect(await order()).toEqual(before);
  });
  await takeOfToken(1, 'Remove entry');
  await eventually(async () => {
    expect(await order()).toEqual(before.toSpliced(1, 1));
  });
  expect(await focused()).toBe(`Entry ${before[2]!} actions`);
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await order()).toEqual(before);
  });
});

test('the tools of a variable work under the pointer', async () => {
  const field = '[aria-label="base_context variable venue"]';
  await studio.pointer.click(field);
  studio.pointer.key('ctrl+a');
  studio.pointer.type('The Old Mill');
  // On a busy machine WebKit hands over a press before the keys that came first.
  await eventually(async () =>
    expect(await studio.page.read('base_context variable venue')).toBe('The Old Mill'),
  );
  await studio.pointer.hover(field, { x: 0.2 });
  await studio.pointer.click('button[aria-label="Set as the default of venue"]');
  await eventually(async () => {
    studio.pointer.key('ctrl+s');
    expect(readFileSync(join(home.registries, FILE), 'utf8')).toContain('"venue": "The Old Mill"');
  });
});

test('a lock stays where it is and looks locked; pressing it again rolls again', async () => {
  const card = '[data-card="personas"]';
  const lock = `${card} button[aria-label^="Lock personas "]`;
  const locked = `${card} button[aria-label^="Unlock personas"]`;
  const place = await studio.pointer.spot(lock);
  await studio.page.sees(`${card} button[aria-label="Edit items of personas"]`);
  await studio.pointer.click(lock);
  await studio.page.sees(`${locked}[aria-pressed="true"]`);
  expect(await studio.pointer.spot(locked)).toEqual(place);
  await studio.picture('lock-closed');
  expect(await focused()).toMatch(/^Unlock personas/);
  studio.pointer.press();
  studio.pointer.release();
  await studio.page.sees(lock);
  await studio.page.sees(`${card} button[aria-label="Edit items of personas"]`);
});

test('a list that was locked is rolled by its own mode again', async () => {
  const card = '[data-card="sentiment"]';
  const mode = () => studio.page.content(`${card} button[aria-label^="Mode of sentiment nudges"]`);
  const before = await mode();
  await studio.pointer.click(`${card} button[aria-label^="Lock nudges "]`);
  await studio.page.sees(`${card} button[aria-label^="Unlock nudges"]`);
  expect(await mode()).not.toBe(before);
  await studio.pointer.click(`${card} button[aria-label^="Unlock nudges"]`);
  await studio.page.sees(`${card} button[aria-label^="Lock nudges "]`);
  expect(await mode()).toBe(before);
});

test('the first drag after a native context menu moves the row and selects nothing', async () => {
  const before = await order();
  const grip = (index: number) => `${row(index)} [data-grip]`;
  await studio.pointer.hover(`${row(0)} .name`);
  await studio.pointer.hover(grip(0));
  studio.pointer.press(3);
  studio.pointer.release(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  studio.pointer.key('Escape');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const boxes: Box[] = [];
  await studio.pointer.drag(grip(0), row(2), { y: 0.8 }, async () => {
    await studio.page.sees('[data-dragging]');
    boxes.push(
      ...(await studio.window.executeScript<typeof boxes>(
        `return [...document.querySelectorAll('[aria-label="Assembly order"] > li')]
           .slice(0, 4).map((each) => each.getBoundingClientRect().toJSON())`,
      )),
    );
    await studio.picture('drag');
  });
  await eventually(async () => {
    expect((await order()).slice(0, 3)).toEqual([before[1], before[2], before[0]]);
  });
  expect(await studio.window.executeScript('return String(getSelection())')).toBe('');
  // The rows beside the place leave room for the one that is held.
  const [heldRow, , above, below] = boxes as [Box, Box, Box, Box];
  expect(below.top - above.bottom).toBe(heldRow.bottom - heldRow.top);
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await order()).toEqual(before);
  });
});

test('an entry is dragged wherever it is pressed, and a press that does not move leads to its card', async () => {
  const before = await order();
  const name = (index: number) => `${row(index)} .name`;
  const onCard = () => studio.page.count('[data-card]:focus, [data-card] :focus');
  await studio.pointer.drag(name(0), row(2), { y: 0.8 });
  await eventually(async () => {
    expect((await order()).slice(0, 3)).toEqual([before[1], before[2], before[0]]);
  });
  expect(await focused()).toBe(before[0]);
  expect(await onCard()).toBe(0);
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await order()).toEqual(before);
  });
  // Two presses at one place within GTK's 400 ms are a double click, which edits the entry.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await studio.pointer.click(name(0));
  await eventually(async () => {
    expect(await onCard()).toBe(1);
  });
});

test('a column is as wide as it is dragged', async () => {
  const handle = '[aria-label="Width of Assembly"]';
  const width = () =>
    studio.window.executeScript<number>(
      'return document.querySelector(arguments[0]).getBoundingClientRect().width',
      '[data-column="assembly"]',
    );
  const before = await width();
  const at = await studio.pointer.spot(handle);
  await studio.pointer.hover(handle);
  studio.pointer.press();
  studio.pointer.move({ x: at.x + 60, y: at.y });
  studio.pointer.release();
  await eventually(async () => {
    expect(await width()).toBe(before + 60);
  });
});

test('a route that is added asks for its name; Enter adds no second', async () => {
  const routes = () => studio.page.content('[data-card="#routes"] .meta');
  const more = (by: number) => `${String(parseInt(before, 10) + by)} routes`;
  const before = await routes();
  await studio.pointer.click('button[aria-label="Collapse all"]');
  await studio.pointer.click('button[aria-label="Routes actions"]');
  await studio.pointer.click('[role=menu] [data-row="Add route"]');
  await eventually(async () => {
    expect(await focused()).toBe('Route name');
  });
  studio.pointer.type('brief');
  studio.pointer.key('Return', 'Return');
  await eventually(async () => {
    expect(await studio.page.all('[aria-label="Route name"]', 'value')).toHaveLength(1);
    expect(await routes()).toBe(more(1));
  });
  await studio.page.sees('button[aria-label="Close route brief"]');
  await studio.pointer.click('[data-card="#routes"] .foot button');
  await eventually(async () => {
    expect(await focused()).toBe('Route name');
  });
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await routes()).toBe(more(2));
  });
});

test('exporting says where the model went and offers a file', async () => {
  await studio.pointer.click('button[aria-label="Export Model JSON"]');
  await studio.pointer.click('[role=menu] [data-row="Copy model JSON"]');
  // Notices of earlier tests may still cover it.
  await eventually(async () => {
    const hint: string = await studio.window.executeScript(
      "return document.querySelector('[role=log]')?.textContent ?? ''",
    );
    expect(hint).toMatch(/clipboard.*Save model JSON to a file/s);
  });
  expect(studio.clipboard()).toContain('"assembly_order"');
});
