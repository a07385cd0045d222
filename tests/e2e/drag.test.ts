// What is moved with the mouse: tokens, items, the rows of a list, cards.
import { readFileSync } from 'node:fs';
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
  const own = order.filter((token) => token.startsWith('personas.')).length;
  await saved(({ assembly_order }) => {
    expect(assembly_order).not.toEqual(order);
    const run = assembly_order.indexOf('personas.context');
    expect(assembly_order[run - 1]).toBe('examples.items');
    expect(assembly_order.filter((token) => token.startsWith('personas.'))).toHaveLength(own);
  });
  expect(await studio.page.count('.moved')).toBe(0);
});
