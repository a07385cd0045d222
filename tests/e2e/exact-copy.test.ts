// No-break spaces survive the clipboard: cut, copied and pasted in the prompt and on a card, and pasted by
// another program.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { leave, openAtEnd, prints, promptText } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const WORDS = 'Wait 10\u00a0km away.';
const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'end'],
  scene: { items: [{ id: 'quay', text: WORDS }] },
  end: { items: [{ id: 'go', text: 'Greet them.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

const copied = (words: string) =>
  eventually(() => {
    expect(studio.clipboard()).toBe(words);
  });

test('a line that is cut in the prompt is pasted with them', async () => {
  const { pointer } = studio;
  await openAtEnd(WORDS);
  pointer.key('Home', 'Right', 'Right', 'Right', 'Right', 'shift+End', 'ctrl+x');
  await copied(' 10\u00a0km away.');
  await prints('Wait\n');
  pointer.key('ctrl+v');
  await prints(WORDS);
  await leave();
});

test('so is the whole prompt that is copied', async () => {
  const { pointer } = studio;
  await openAtEnd(WORDS);
  await leave();
  pointer.key('ctrl+a', 'ctrl+c');
  await copied(`${WORDS}\n\nGreet them.`);
});

test('so is a line of a card, at once', async () => {
  const { page, pointer } = studio;
  await page.enter('scene.quay.text');
  pointer.key('ctrl+a', 'ctrl+c');
  await copied(WORDS);
  pointer.key('ctrl+x');
  await eventually(async () => expect(await promptText()).not.toContain('Wait'));
  await copied(WORDS);
  pointer.key('ctrl+v');
  await prints(WORDS);
});

test('other text is left to the browser', async () => {
  const { page, pointer } = studio;
  await page.enter('scene.quay.text');
  pointer.key('ctrl+a');
  pointer.type('Greet them.');
  pointer.key('ctrl+a', 'ctrl+x', 'ctrl+v', 'ctrl+v');
  await prints('Greet them.Greet them.');
});
