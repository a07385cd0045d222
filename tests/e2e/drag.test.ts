// What is moved with the mouse: tokens, items, the rows of a list, cards.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

const FILE = 'trivia_host.json';

interface Registry {
  assembly_order: string[];
  personas: { items: { id: string; base_directives: string[] }[] };
}

opens(['Trivia Host', FILE]);

const file = (): Registry => {
  const { registry } = JSON.parse(readFileSync(join(home.registries, FILE), 'utf8')) as {
    registry: Registry;
  };
  return registry;
};

/** Saves until the file holds what is expected of it. */
const saved = async (check: (registry: Registry) => void): Promise<void> => {
  await eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    check(file());
  });
};

const moved = <T>(list: T[], from: number, to: number): T[] => {
  const next = list.toSpliced(from, 1);
  return next.toSpliced(to, 0, list[from]!);
};

test('a token', async () => {
  const before = file().assembly_order;
  const row = (index: number) =>
    `ol[aria-label="Assembly order"] > li:nth-child(${String(index + 1)})`;
  await studio.page.drag(row(1), row(4));
  await saved(({ assembly_order }) => {
    expect(assembly_order).toEqual(moved(before, 1, 4));
  });
  await studio.page.drag(row(5), row(0));
  await saved(({ assembly_order }) => {
    expect(assembly_order).toEqual(moved(moved(before, 1, 4), 5, 1));
  });
});

test('an item, and a row of its list', async () => {
  const { items } = file().personas;
  await studio.page.menu('personas actions', 'Edit items');
  const row = (index: number) =>
    `[data-card="personas"] [data-list] > [data-order]:nth-of-type(${String(index + 1)})`;
  await studio.page.drag(row(0), row(2));
  await saved(({ personas }) => {
    expect(personas.items).toEqual(moved(items, 0, 2));
  });
  await studio.page.press('Edit deadpan');
  const entry = (index: number) =>
    `[aria-label="personas.deadpan.base_directives"] > :nth-child(${String(index + 1)})`;
  const directives = items[1]!.base_directives;
  await studio.page.drag(entry(0), entry(2));
  await saved(({ personas }) => {
    expect(personas.items[0]?.base_directives).toEqual(moved(directives, 0, 2));
  });
});

test('a card', async () => {
  const cards = () => studio.page.all('[data-card][data-order]', 'data-card');
  await studio.page.press('Collapse all');
  await studio.page.sees('button[aria-label="Expand all"]');
  const before = await cards();
  await studio.page.drag('[data-card="personas"]', '[data-card="examples"]');
  const to = before.indexOf('examples');
  await eventually(async () => {
    expect(await cards()).toEqual(moved(before, before.indexOf('personas'), to));
  });
  // The prompt keeps its order until the author has the entries follow.
  const order = file().assembly_order;
  await studio.pointer.click('.moved button');
  const personaCount = order.filter((token) => token.startsWith('personas.')).length;
  await saved(({ assembly_order }) => {
    expect(assembly_order).not.toEqual(order);
    const run = assembly_order.indexOf('personas.context');
    expect(assembly_order[run - 1]).toBe('examples.items');
    expect(assembly_order.filter((token) => token.startsWith('personas.'))).toHaveLength(
      personaCount,
    );
  });
  expect(await studio.page.count('.moved')).toBe(0);
});

test('a drag that is held at the edge, or goes with the wheel, scrolls to the end of a long list', async () => {
  const items = Array.from({ length: 60 }, (_, n) => ({ name: `item_${String(n)}`, text: 'Go.' }));
  const registry = {
    version: 22,
    title: 'Long',
    assembly_order: ['rules.text'],
    rules: { required: true, items },
  };
  writeFileSync(join(home.registries, 'long.json'), JSON.stringify({ registry }, undefined, 1));
  await studio.page.openRegistry('Long', 'long.json');
  await studio.page.menu('rules actions', 'Edit items');
  const row = (index: number) =>
    `[data-card="rules"] [data-list] > [data-order]:nth-of-type(${String(index + 1)})`;
  const scrolled = () =>
    studio.window.executeScript<number>(
      'return document.querySelector(arguments[0]).closest(".scroll").scrollTop',
      row(0),
    );
  const { x, y } = await studio.pointer.spot(`${row(0)} [data-grip]`);
  const bottom = await studio.window.executeScript<number>(
    'return document.querySelector(arguments[0]).closest(".scroll").getBoundingClientRect().bottom',
    row(0),
  );
  const order = () => {
    const text = readFileSync(join(home.registries, 'long.json'), 'utf8');
    const long = JSON.parse(text) as { registry: { rules: { items: { name: string }[] } } };
    return long.registry.rules.items.map(({ name }) => name);
  };
  studio.pointer.move({ x, y });
  studio.pointer.press();
  studio.pointer.move({ x, y: bottom - 6 });
  let last = -1;
  await eventually(async () => {
    const now = await scrolled();
    const isAtEnd = now > 0 && now === last;
    last = now;
    expect(isAtEnd, `scrolled to ${String(now)}`).toBe(true);
  });
  studio.pointer.release();
  await eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    expect(order().indexOf('item_0')).toBe(59);
  });
  // Back again, by the wheel.
  const grip = await studio.pointer.spot(`${row(59)} [data-grip]`);
  studio.pointer.move(grip);
  studio.pointer.press();
  studio.pointer.move({ x: grip.x, y: grip.y - 60 });
  for (let n = 0; n < 60 && (await scrolled()) > 0; n += 1) studio.pointer.wheel(-1);
  const target = await studio.pointer.spot(`${row(2)} [data-grip]`);
  studio.pointer.move(target);
  studio.pointer.release();
  await eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    expect([1, 2, 3]).toContain(order().indexOf('item_0'));
  });
});
