// The deck in the real window: every kind of change an author makes there, saved and read back from
// the file. What the controls are called is what a screen reader says.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

interface Item {
  id: string;
  text?: string;
  context?: string;
  requires?: string[];
}

interface Registry {
  assembly_order: string[];
  personas: { items: Item[] };
  base_context: { items: Item[]; template_vars: string[] };
  generation: Record<string, unknown>;
  output_policy: Record<string, unknown>;
  routes: Record<string, { assembly_order?: string[] }>;
  [section: string]: unknown;
}

opens();

/** Saves until the file holds what is expected of it. */
const saved = async (check: (registry: Registry) => void): Promise<void> => {
  await eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    const file = JSON.parse(readFileSync(join(home.registries, FILE), 'utf8')) as {
      registry?: Registry;
    } & Registry;
    check(file.registry ?? file);
  });
};

const ids = (items: Item[]): string[] => items.map((item) => item.id);

test('the first start shows the sample that shows most', async () => {
  await studio.page.showRaw();
  await eventually(async () => {
    expect(await studio.window.getTitle()).toContain('Promptdeck');
    expect(await studio.page.prompt()).toContain('Read the room its next question.');
  });
});

test('an item is renamed, its references follow; it is copied and the copy deleted', async () => {
  const { page } = studio;
  await page.menu('personas actions', 'Edit items');
  await page.press('Edit deadpan');
  await page.type('Item name', `dry${Key.ENTER}`);
  await page.press('Duplicate dry');
  await page.press('Close dry_copy');
  await saved(({ personas }) => {
    expect(ids(personas.items)).toContain('dry');
    expect(ids(personas.items)).toContain('dry_copy');
    expect(ids(personas.items)).not.toContain('deadpan');
  });
  await page.press('Delete dry_copy');
  await saved(({ personas }) => {
    expect(ids(personas.items)).not.toContain('dry_copy');
  });
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list'], home.env)).toContain('Before delete: dry_copy');
  });
});

test('what an item requires is added by completion and shown', async () => {
  const { page } = studio;
  await page.press('Edit dry');
  await page.pressWords('Field');
  await page.pressWords('requires');
  await page.type('Add to personas.dry.requires', `sentiment.pos${Key.ARROW_DOWN}${Key.ENTER}`);
  await saved(({ personas }) => {
    expect(personas.items.find(({ id }) => id === 'dry')?.requires).toEqual(['sentiment.positive']);
  });
});

test('a misspelt variable is found and corrected in place', async () => {
  const { page } = studio;
  const before = JSON.parse(readFileSync(join(home.registries, FILE), 'utf8')) as {
    registry?: Registry;
  } & Registry;
  const first = (before.registry ?? before).base_context.items[0]!;
  await page.menu('base_context actions', 'Edit items');
  await page.press(`Edit ${first.id}`);
  await page.type(`base_context.${first.id}.text`, 'At {venu}.');
  await page.pressWords('Replace with {venue}');
  await saved(({ base_context }) => {
    expect(base_context.items[0]?.text).toBe('At {venue}.');
  });
  await page.press('Edit items of base_context');
});

test('an unclosed variable is found, underlined and closed in place', async () => {
  const { page } = studio;
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  await page.type('base_context.pub_night.text', 'At {venue, as ever.');
  await page.sees('[data-card="base_context"] .undeclared-name');
  expect(await page.lines('[data-card="base_context"] .undeclared-name')).toEqual(['{venue']);
  const problems = 'section[aria-label="Problems"]';
  await eventually(async () => {
    expect(await page.lines(`${problems} .words`)).toContain(
      '{venue in base_context is not closed',
    );
  });
  await page.pressWords('Replace with {venue}');
  await saved(({ base_context }) => {
    expect(base_context.items.find(({ id }) => id === 'pub_night')?.text).toBe(
      'At {venue}, as ever.',
    );
  });
  await page.press('Edit items of base_context');
});

test('a section is added, renamed with its token, moved and deleted', async () => {
  const { page } = studio;
  for (const name of ['alpha', 'beta']) {
    await page.press('Add section');
    await page.type('Section name', `${name}${Key.ENTER}`);
  }
  await page.menu('alpha actions', 'Rename section');
  await page.type('Rename section', `gamma${Key.ENTER}`);
  await saved((registry) => {
    // Before the endings, behind which nothing is meant to be printed.
    expect(registry.assembly_order.slice(-3)).toEqual(['gamma', 'beta', 'prompt_endings']);
  });
  await page.menu('beta actions', 'Move card up');
  await saved((registry) => {
    const keys = Object.keys(registry).filter((key) => ['gamma', 'beta'].includes(key));
    expect(keys).toEqual(['beta', 'gamma']);
  });
  await page.menu('beta actions', 'Delete section');
  await studio.picture('deck-delete-section');
  await page.pressWords('Delete section');
  await saved((registry) => {
    expect(registry.beta).toBeUndefined();
    expect(registry.assembly_order).not.toContain('beta');
  });
  await page.keys([Key.CONTROL], 'z');
  await saved((registry) => {
    expect(registry.beta).toBeDefined();
  });
});

test('beside a deleted section everything is drawn as it is then', async () => {
  const { page } = studio;
  const count = async () => Number.parseInt((await page.lines('.count'))[0] ?? '', 10);
  const [before, sections] = [await page.lines('[data-token]'), await count()];
  expect(before.at(-1)).not.toMatch(/^personas/);
  await page.menu('personas actions', 'Delete section');
  await page.pressInDialog('Delete section');
  await eventually(async () => {
    const left = before.filter((token) => !token.startsWith('personas'));
    expect(await page.lines('[data-token]')).toEqual(left);
    expect(await count()).toBe(sections - 1);
  });
  await page.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await page.lines('[data-token]')).toEqual(before);
  });
});

test('settings are validated as they are typed, and the policy is tried on a text', async () => {
  const { page } = studio;
  await page.press('Expand Generation');
  await page.type('generation.temperature', 'warm');
  await page.type('generation.temperature', '0.35');
  await saved(({ generation }) => {
    expect(generation.temperature).toBe(0.35);
  });
  await page.press('Expand Output policy');
  await page.type('output_policy.max_length', '12');
  await page.type('output_policy.min_length', '0');
  await page.type('Test on a text', 'Host: Good evening, one and all.');
  const cleaned = '[aria-label="Cleaned text"]';
  await eventually(async () => {
    const text: string = await studio.window.executeScript(
      `return document.querySelector(${JSON.stringify(cleaned)})?.textContent ?? ''`,
    );
    expect(text.trim()).toBe('Good evening');
  });
  await studio.picture('deck-policy');
});

test('a route is added and used, and the card writes its settings', async () => {
  const { page } = studio;
  await page.press('Expand Routes');
  await page.menu('Routes actions', 'Add route');
  await page.type('Route name', `brief${Key.ENTER}`);
  await page.press('Use route brief');
  await page.type('generation.max_tokens', '44');
  await saved(({ routes, generation }) => {
    expect(routes.brief).toMatchObject({ generation: { max_tokens: 44 } });
    expect(generation.max_tokens).not.toBe(44);
  });
  await studio.picture('deck-routes');
  await page.press('Delete route brief');
  await saved(({ routes }) => {
    expect(routes.brief).toBeUndefined();
  });
});

test('saving an unchanged document writes nothing', async () => {
  const path = join(home.registries, FILE);
  const before = { written: statSync(path).mtimeMs, bytes: readFileSync(path) };
  await studio.page.keys([Key.CONTROL], 's');
  await eventually(async () => {
    expect(await studio.page.source()).toContain('is already up to date');
  });
  expect({ written: statSync(path).mtimeMs, bytes: readFileSync(path) }).toEqual(before);
});

test('a bracket is completed by what can match, and by nothing else', async () => {
  const { page } = studio;
  await page.openRegistry('Code Reviewer', 'code_reviewer.json');
  await page.type('Add entry', 'severity_scales[lang');
  await page.sees('[role=listbox][aria-label="Add entry"] [role=option]');
  expect(await page.lines('[role=listbox][aria-label="Add entry"] [role=option] .mono')).toEqual([
    'severity_scales[language.severities]',
  ]);
  await page.keys([], Key.ESCAPE);
});
