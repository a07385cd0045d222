// Offers that stand where something was just done, taken with a mouse at the display: the entries of
// a moved card, a deleted registry, a pasted text that is of another kind. And the ring around what a
// key moves the focus to after a press.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

const FILE = 'trivia_host.json';

opens(['Trivia Host', FILE]);

beforeAll(() => studio.page.showRaw());
beforeEach(() => studio.pointer.focus());

const path = (name: string) => join(home.registries, name);
const focused = () =>
  studio.window.executeScript<string | null>(
    'return document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent',
  );
const tokens = () => studio.page.lines('[aria-label="Assembly order"] .name');
const cards = () => studio.page.all('[data-card][data-order]', 'data-card');
const grip = (name: string) => `[data-card="${name}"] [data-grip]`;

/** Drags a card by its grip to a part of another one; the line below it stands there then. */
const dragCard = async (name: string, onto: string, y: number): Promise<void> => {
  await studio.pointer.hover(`[data-card="${name}"] header`, { x: 0.7 });
  await studio.pointer.drag(grip(name), `[data-card="${onto}"]`, { y }, async () => {
    await studio.page.sees('[data-dragging]');
  });
  await studio.page.sees('.moved');
};

test('a card is moved by its grip, and one press moves its entries too', async () => {
  await studio.page.press('Collapse all');
  await studio.page.sees('button[aria-label="Expand all"]');
  const [cardsBefore, before] = [await cards(), await tokens()];
  await dragCard('personas', 'sentiment', 0.9);
  expect(await cards()).not.toEqual(cardsBefore);
  expect(await tokens(), 'the prompt keeps its order').toEqual(before);
  await studio.picture('offer-moved-card');
  await studio.pointer.click('.moved button');
  await eventually(async () => {
    const after = await tokens();
    expect(after).not.toEqual(before);
    expect(after.indexOf('personas.context')).toBeGreaterThan(after.indexOf('sentiment.context'));
    expect(after.toSorted()).toEqual(before.toSorted());
    expect(await studio.page.count('.moved')).toBe(0);
    expect(await focused()).toBe('Expand personas');
  });
  // One step back for the entries, one for the card.
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await tokens()).toEqual(before);
  });
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await cards()).toEqual(cardsBefore);
    expect(await studio.page.count('.moved')).toBe(0);
  });
});

test('the order of the prompt is kept by the cross of the offer', async () => {
  const before = await tokens();
  await dragCard('personas', 'sentiment', 0.9);
  await studio.pointer.click('.moved button[aria-label="Keep the order of the prompt"]');
  await eventually(async () => {
    expect(await studio.page.count('.moved')).toBe(0);
    expect(await focused()).toBe('Expand personas');
  });
  expect(await tokens()).toEqual(before);
  studio.pointer.key('ctrl+z');
  await studio.page.press('Expand all');
});

test('a key shows where the focus is after a press, and the next press hides it', async () => {
  const ring = () =>
    studio.window.executeScript<string>(
      `const style = getComputedStyle(document.activeElement);
       return style.outlineStyle === 'none' || style.outlineWidth === '0px' ? 'none' : 'ring';`,
    );
  const tab = (name: string) => `[role=tab][aria-controls][id$="${name}"]`;
  await studio.pointer.click(tab('compare'));
  await eventually(async () => {
    expect(await focused()).toMatch(/^Compare/);
  });
  expect(await ring(), 'a press shows none').toBe('none');
  studio.pointer.key('Right');
  await eventually(async () => {
    expect(await focused()).toMatch(/^Checks/);
    expect(await ring()).toBe('ring');
  });
  await studio.picture('focus-after-press');
  await studio.pointer.click(tab('prompt'));
  await eventually(async () => {
    expect(await focused()).toMatch(/^Prompt/);
    expect(await ring()).toBe('none');
  });
});

test('the open registry is deleted and restored from the empty window', async () => {
  const bytes = readFileSync(path(FILE));
  await studio.pointer.click('[data-files]');
  const row = `[data-file="${FILE}"]`;
  await studio.pointer.hover(row);
  await studio.pointer.click(`${row} button[aria-haspopup=menu]`);
  await studio.pointer.click(
    '[role=menuitem][data-row^="Delete"], [role=menuitem][data-row*="trash"]',
  );
  await studio.page.sees('main.nothing');
  expect(existsSync(path(FILE))).toBe(false);
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count('[role=treegrid]')).toBe(0);
  });
  await studio.picture('offer-restore');
  await studio.pointer.click('main.nothing button');
  await studio.page.sees('[data-card="personas"]');
  expect(readFileSync(path(FILE))).toEqual(bytes);
});

const dialog = 'dialog[open]';

/** Pastes a text into the dialog of a new registry. */
const paste = async (text: string): Promise<void> => {
  await studio.pointer.click('button[aria-label^="Registry: "]');
  await studio.pointer.click('button[title="New registry…"]');
  await studio.page.sees(`${dialog} [role=radio]`);
  studio.copy(text);
  await studio.pointer.click(`${dialog} textarea`);
  studio.pointer.key('ctrl+v');
};

const created = async (file: string): Promise<{ registry: Record<string, unknown> }> => {
  await studio.page.type('File name', file);
  await studio.pointer.click(`${dialog} button[type=submit]:last-child`);
  await eventually(async () => {
    expect(await studio.page.count(dialog)).toBe(0);
  });
  return JSON.parse(readFileSync(path(`${file}.json`), 'utf8')) as {
    registry: Record<string, unknown>;
  };
};

/** Presses the offer of the verdict, once it stands. */
const takeOffer = async (words: string): Promise<void> => {
  await eventually(async () => {
    expect(await studio.page.content(`${dialog} .verdict`)).toContain(words);
  });
  await studio.picture(`offer-${words.split(' ').at(-1)!}`);
  await studio.pointer.click(`${dialog} .verdict button`);
  await eventually(async () => {
    expect(await studio.page.content(`${dialog} .verdict`)).not.toContain(words);
  });
};

test('a pasted list is read as wildcards', async () => {
  await paste('red\ndark blue\nburnt orange\ngreen\nold gold');
  await takeOffer('Read as wildcards');
  const { registry } = await created('colours');
  expect(JSON.stringify(registry)).toContain('"section_random":true');
  await eventually(async () => {
    expect(['red', 'dark blue', 'burnt orange', 'green', 'old gold']).toContain(
      await studio.page.prompt(),
    );
  });
});

test('a pasted list with weights is read as wildcards, and the offer is readable in a small window', async () => {
  await studio.resize(800, 700);
  await paste('3::red\n0.5::{dark|light} blue\ngreen');
  await eventually(async () => {
    expect(await studio.page.content(`${dialog} .verdict`)).toContain('Read as wildcards');
  });
  const width = await studio.window.executeScript<number>(
    `return document.querySelector('${dialog} .verdict .words').getBoundingClientRect().width`,
  );
  expect(width, 'the words are no column of single words').toBeGreaterThan(135);
  await takeOffer('Read as wildcards');
  const { registry } = await created('weighted');
  expect(JSON.stringify(registry)).toMatch(/"text":"red","weight":12.*"text":"green","weight":4/);
  await studio.resize(1440, 900);
});

test('a pasted template is read as one', async () => {
  await paste('A {red|blue|green} house by the {sea|river}, in {summer|winter}');
  await takeOffer('Read as a template');
  await created('house');
  await eventually(async () => {
    expect(await studio.page.prompt()).toMatch(
      /^A (red|blue|green) house by the (sea|river), in (summer|winter)$/,
    );
  });
});
