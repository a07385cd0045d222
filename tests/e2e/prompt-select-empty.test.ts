// Selections of the prompt that begin in a text without a letter.
import { expect, test } from 'vitest';

import { FERRY_WITH_GAP, writeFerry } from './ferry-deck';
import { letterOf, OPEN, openAtEnd, PROMPT, promptText, selectedText } from './printed-prompt';
import { beginsUnselected, opened, pause } from './prompt-selecting';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Ferry', 'ferry.json'], writeFerry(FERRY_WITH_GAP));

beginsUnselected();

const selects = (words: string) =>
  eventually(async () => {
    expect((await selectedText()).replaceAll(/\n+/g, '\n').trim()).toBe(words);
  });

test('a drag that begins in a variable without a value leaves it', async () => {
  const { pointer } = studio;
  await pointer.click(`${PROMPT} .gap[data-spot]`);
  await eventually(async () => expect(await studio.page.all(OPEN, 'data-name')).toEqual(['guest']));
  await pause(500);
  const gap = await studio.window.executeScript<DOMRect>(
    'return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()',
    OPEN,
  );
  pointer.move({ x: Math.round(gap.left + 8), y: Math.round(gap.top + gap.height / 2) });
  pointer.press();
  pointer.move(await letterOf('Never explain.', 5));
  await selects('across at dusk.\n- Be brief.\n- Never');
  expect(await opened()).toEqual([]);
  pointer.move(await letterOf('The ferry takes', 4));
  await selects('ferry takes');
  pointer.release();
});

test('so does one that begins in an emptied text', async () => {
  const { pointer } = studio;
  const before = await promptText();
  await openAtEnd('Greet the next traveller.');
  pointer.key('ctrl+a', 'BackSpace');
  await eventually(async () => expect(await opened()).toEqual(['']));
  await pause(500);
  await pointer.hover(OPEN);
  pointer.press();
  pointer.move(await letterOf('Never explain.', 6));
  await selects('explain.\n- Stay calm.');
  expect(await opened()).toEqual([]);
  pointer.release();
  await eventually(async () => {
    if ((await promptText()) !== before) pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
});
