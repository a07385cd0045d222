// Numbers typed into the settings by keys at the display: words that are no number change nothing,
// whatever their beginning meant, and leave neither a step to undo nor a snapshot.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { promptdeck } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const DECK = {
  registry: {
    title: 'Ferry',
    assembly_order: ['scene'],
    scene: { required: true, items: [{ id: 'quay', text: 'On the quay.' }] },
  },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

test('a decimal comma in the only field of the output policy changes nothing', async () => {
  const { page, pointer } = studio;
  await page.press('Expand Output policy');
  await pointer.click('[aria-label="output_policy.min_length"]');
  pointer.type('1');
  await page.sees('[aria-label="Undo: Edit output_policy.min_length"]');
  pointer.type(',5');
  await page.sees('[aria-label="Undo"]');
  expect(await page.content('[role=alert]')).toContain('min_length must be a whole number');
  await eventually(() => {
    expect(JSON.parse(promptdeck(['snapshot', 'list', '--format', 'json'], home.env))).toEqual([]);
  });
});
