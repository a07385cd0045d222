// Text typed before and after variables without a value, where the text has no letter there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { leave, OPEN, prints, PROMPT } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'end'],
  scene: {
    template_vars: ['guest', 'title', 'gift'],
    items: [{ id: 'quay', text: '{guest}{title} brings {gift}' }],
  },
  end: { items: [{ id: 'go', text: 'Greet them.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

const gap = (name: string) => `${PROMPT} .gap[data-name="${name}"]`;

/** What the field of the text holds. */
const field = (): Promise<string | undefined> =>
  studio.window.executeScript(
    'return document.querySelector(`textarea[aria-label="scene.quay.text"]`)?.value',
  );

const holds = (text: string) =>
  eventually(async () => {
    expect(await field()).toBe(text);
  });

const opened = (name: string | null) =>
  eventually(async () => {
    const found = await studio.window.executeScript(
      'return document.querySelector(`[role=textbox].open`)?.dataset.name ?? null',
    );
    expect(await studio.page.lines(OPEN)).toHaveLength(1);
    expect(found).toBe(name);
  });

test('a press right of a variable that ends its line puts the caret behind it', async () => {
  const { pointer } = studio;
  await pointer.click(`${PROMPT} .block:first-child`, { x: 0.95 });
  await opened(null);
  pointer.type('!');
  await holds('{guest}{title} brings {gift}!');
  pointer.key('BackSpace');
  await holds('{guest}{title} brings {gift}');
  await leave();
});

test('the right arrow leads behind a variable that ends a text', async () => {
  const { pointer } = studio;
  await pointer.click(gap('gift'));
  await opened('gift');
  pointer.key('Right');
  await opened(null);
  pointer.type(' and cake');
  await prints('brings  and cake');
  await holds('{guest}{title} brings {gift} and cake');
  pointer.key('ctrl+z');
  await holds('{guest}{title} brings {gift}');
  await leave();
});

test('the left arrow leads before a variable that begins a text', async () => {
  const { pointer } = studio;
  await pointer.click(gap('guest'));
  await opened('guest');
  pointer.key('Left');
  await opened(null);
  pointer.type('Now ');
  await holds('Now {guest}{title} brings {gift}');
  pointer.key('BackSpace', 'BackSpace', 'BackSpace', 'BackSpace');
  await holds('{guest}{title} brings {gift}');
  pointer.type('So ');
  await holds('So {guest}{title} brings {gift}');
  await leave();
});

test('between two variables is a place as well', async () => {
  const { pointer } = studio;
  await pointer.click(gap('guest'));
  await opened('guest');
  pointer.key('Right');
  await opened(null);
  pointer.type(', ');
  await holds('So {guest}, {title} brings {gift}');
  await studio.picture('gap-edges');
  await leave();
});
