// Presses in the prompt at places without a letter that can be edited: behind the bullet of an empty entry, and
// on the number of a slider.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, PROMPT } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['rules.items', 'mood.scale'],
  rules: { items: [{ id: 'all', items: ['Be brief.', 'Never explain.', 'Stay calm.'] }] },
  mood: {
    slider: 8,
    scale_template: 'On 1-10, it stands at {value}.',
    items: [{ id: 'calm', nudges: ['Hum low.'] }],
  },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());
afterEach(leave);

test('a press behind an empty bullet opens its entry while another text is edited', async () => {
  const { page, pointer } = studio;
  await openAtEnd('Stay calm.');
  pointer.key('Return', 'Return');
  await eventually(async () => expect(await page.lines(OPEN)).toEqual(['']));
  await openAtEnd('Never explain.');
  pointer.type('x');
  await prints('Never explain.x');
  const bullet = await eventually(async () => {
    const id = await studio.window.executeScript<string | null>(
      `return [...document.querySelectorAll('[data-spot]')]
         .find(({ textContent }) => textContent === '- ')?.dataset.spot ?? null`,
    );
    expect(id).not.toBeNull();
    return `[data-spot="${String(id)}"]`;
  });
  const { x, y } = await pointer.spot(bullet);
  pointer.move({ x: x + 60, y });
  pointer.press();
  await new Promise((resolve) => setTimeout(resolve, 60));
  pointer.release();
  await eventually(async () => expect(await page.lines(OPEN)).toEqual(['']));
  pointer.type('V');
  await prints('- Stay calm.\n- V\n- ');
});

test('a press on either half of the number of a slider selects it, and no key deletes beside it', async () => {
  const { page, pointer } = studio;
  for (const x of [0.2, 0.8]) {
    for (const key of ['BackSpace', 'Delete', '3']) {
      await pointer.click(`${PROMPT} .fixed`, { x });
      await eventually(async () => {
        expect(await page.lines(OPEN)).toEqual(['On 1-10, it stands at 8.']);
        expect(await studio.window.executeScript('return getSelection().toString()')).toBe('8');
      });
      pointer.key(key);
      await eventually(async () =>
        expect(await page.content(`${PROMPT} [role=status]`)).toContain('8 is made by the slider'),
      );
      await prints('On 1-10, it stands at 8.');
      // Not a double click with the next press.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
});
