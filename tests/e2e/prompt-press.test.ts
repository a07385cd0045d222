// Presses in the prompt at places without a letter that can be edited: behind the bullet of an empty entry.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['rules.items'],
  rules: { items: [{ id: 'all', items: ['Be brief.', 'Never explain.', 'Stay calm.'] }] },
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
