// Text that the prompt leaves out: what its field says, and how one press prints it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

const DECK = {
  title: 'Ferry',
  assembly_order: ['base_context', 'personas', 'prompt_endings'],
  base_context: {
    template_vars: ['river', 'weather'],
    items: [
      {
        id: 'landing',
        text: 'The ferry on the {river}.',
        fragments: [{ if_var: 'weather', text: 'The fog is {weather}.' }],
      },
    ],
  },
  personas: {
    items: [
      {
        id: 'chatty',
        context: 'You are chatty.',
        base_directives: ['Name the tide.', 'Never promise an hour.'],
      },
    ],
  },
  sentiment: { slider: 8, items: [{ id: 'calm', context: 'The river is calm.' }] },
  prompt_endings: {
    items: [{ id: 'next', text: 'Greet the next traveller.', tip: 'Wave first.' }],
  },
  routes: { short: { assembly_order: ['prompt_endings.tip', 'prompt_endings'] } },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

const ROWS = '[aria-label="Not in this prompt"]';
const prompt = () => studio.page.content('.prompt');
const left = () => studio.page.lines(`${ROWS} li .name`);

test('what no entry prints comes first below the preview, with its reason', async () => {
  await eventually(async () => {
    expect(await left()).toEqual([
      'personas.chatty.base_directives',
      'sentiment.calm.context',
      'sentiment.scale',
      'base_context.landing.fragments[0]',
      'prompt_endings.next.tip',
    ]);
  });
  expect((await studio.page.lines(`${ROWS} li .words`)).slice(-2)).toEqual([
    'weather is empty',
    'only route short prints it',
  ]);
  await studio.picture('unprinted');
});

test('pointing at the button shows the entry and its place, and nothing of it stays', async () => {
  await studio.pointer.hover(`${ROWS} li:first-child button.link`);
  const line = '.prompt .insertion';
  await eventually(async () => {
    expect(await studio.page.lines('[aria-label="Assembly order"] .entry')).toEqual([
      'personas.base_directives',
    ]);
    expect((await studio.page.content(line)).trim()).toMatch(/^2 lines, \d+ tokens$/);
  });
  const bar = await studio.page.content('.provenance');
  expect(bar).toContain('personas.base_directives');
  expect(bar).toContain('would print after');
  await studio.picture('unprinted-insertion');
  await studio.pointer.park();
  await eventually(async () => {
    expect(await studio.page.count(line)).toBe(0);
    expect(await studio.page.count('[aria-label="Assembly order"] .entry')).toBe(0);
  });
});

test('a text and its print light each other', async () => {
  await studio.pointer.click('button[aria-label="Edit items of personas"]');
  const field = 'textarea[aria-label="personas.chatty.context"]';
  await studio.pointer.hover(field);
  await eventually(async () => {
    expect(await studio.page.lines('.spot[data-lit]')).toEqual(['You are chatty.']);
  });
  expect(await studio.page.content('.provenance')).toContain('line 3');
  await studio.pointer.click(field);
  await studio.pointer.park();
  await eventually(async () => {
    expect(await studio.page.content('[data-column="deck"] p[role="status"]')).toBe(
      'prints, line 3',
    );
  });
  await studio.picture('text-and-print');
  await studio.pointer.hover('.spot:not([data-lit])');
  await eventually(async () => {
    expect(await studio.page.count('[data-card] [data-lit]')).toBe(0);
  });
  await studio.pointer.hover('.block:nth-child(2) .spot');
  await eventually(async () => {
    expect(await studio.page.count(`${field}[data-lit]`)).toBe(1);
  });
  await studio.pointer.click('button[aria-label="Close items of personas"]');
});

test('a press below the field adds the entry where it belongs, and undo takes it out', async () => {
  await studio.pointer.click('button[aria-label="Edit items of personas"]');
  const add = '[data-card="personas"] .print-note button';
  await studio.pointer.click(add);
  await eventually(async () => {
    expect(await prompt()).toContain('- Name the tide.');
  });
  expect(await studio.page.lines('[aria-label="Assembly order"] .name')).toEqual([
    'base_context',
    'personas',
    'personas.base_directives',
    'prompt_endings',
  ]);
  expect(await studio.page.count(add)).toBe(0);
  expect(await studio.page.count('[data-card="personas"] .entry.printed')).toBe(2);
  studio.pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await studio.page.count(add)).toBe(1);
  });
});

test('"Add all" prints every text that no entry prints', async () => {
  await studio.pointer.click(`${ROWS} .head button.link`);
  await eventually(async () => {
    expect(await left()).toEqual(['base_context.landing.fragments[0]', 'prompt_endings.next.tip']);
  });
  const printed = await prompt();
  for (const text of ['- Name the tide.', 'The river is calm.', 'intensity is 8 on calm.']) {
    expect(printed).toContain(text);
  }
});

test('what another route prints is added to the route in use by its own button', async () => {
  await studio.pointer.click(`${ROWS} [aria-label="Add prompt_endings.tip to this route"]`);
  await eventually(async () => {
    expect(await prompt()).toMatch(/Greet the next traveller\.\s+Wave first\./);
  });
  expect(await left()).toEqual(['base_context.landing.fragments[0]']);
});

test('a variable without a value is a gap; a press on it takes its value', async () => {
  const gap = '.prompt .gap';
  expect(await prompt()).toContain('The ferry on the .');
  await studio.pointer.click(gap);
  await eventually(async () => {
    expect(await studio.page.focused()).toContain('base_context variable river');
  });
  studio.pointer.type('Lys');
  await eventually(async () => {
    expect(await prompt()).toContain('The ferry on the Lys.');
  });
  expect(await studio.page.count(gap)).toBe(0);
});
