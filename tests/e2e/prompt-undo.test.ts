// What is typed right after an undo, where the text that is drawn anew has fewer parts than before.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { OPEN, PROMPT, promptText } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene'],
  scene: { items: [{ id: 'quay', text: 'Hello there' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

const prints = (words: string) =>
  eventually(async () => {
    expect(await promptText()).toBe(words);
  });

test('nothing is lost of what is typed after an undo behind a name in braces', async () => {
  const { page, pointer } = studio;
  await pointer.click(`${PROMPT} .spot`);
  await eventually(async () => {
    expect(await page.lines(OPEN)).toHaveLength(1);
  });
  pointer.key('End');
  // A pause between them makes two steps.
  pointer.type(' {tea}');
  await prints('Hello there {tea}');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  pointer.type(' x');
  await prints('Hello there {tea} x');
  pointer.key('ctrl+z');
  await prints('Hello there {tea}');
  pointer.type(' mid {cup}!');
  await prints('Hello there {tea} mid {cup}!');
  expect(await page.count('[role=alert]')).toBe(0);
});
