// Drags that begin beside the text of a line while a text of the prompt is open: they select from there.
import { expect, test } from 'vitest';

import { FERRY, writeFerry } from './ferry-deck';
import {
  letterOf,
  OPEN,
  openText,
  prints,
  promptText,
  PROMPT,
  selectedText,
} from './printed-prompt';
import { beginsUnselected, opened } from './prompt-selecting';
import type { Spot } from './pointer';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Ferry', 'ferry.json'], writeFerry(FERRY));
beginsUnselected();

/** Right or left of the words on their line. */
const beside = async (words: string, side: 'left' | 'right'): Promise<Spot> => {
  const { y } = await letterOf(words, 0);
  const { left, right } = await studio.window.executeScript<DOMRect>(
    'return document.querySelector(arguments[0]).getBoundingClientRect()',
    `${PROMPT} .block`,
  );
  return { x: Math.round(side === 'left' ? left + 2 : right - 20), y };
};

const drag = async (from: Spot, to: Spot): Promise<void> => {
  await studio.pointer.keysArrived();
  studio.pointer.move(from);
  studio.pointer.press();
  studio.pointer.move(to);
  studio.pointer.release();
};

const selects = (words: string) => eventually(async () => expect(await selectedText()).toBe(words));

test.each([
  ['of the open text', 'The ferry at dusk.', 'The ', 'ferry at dusk.'],
  ['of another one', 'Greet the next traveller.', 'Greet the ', 'next traveller.'],
])(
  'a drag right of a line %s selects to its end, and is typed over',
  async (_, words, head, rest) => {
    await openText('The ferry');
    const before = await promptText();
    await drag(await beside(words, 'right'), await letterOf(words, head.length));
    await selects(rest);
    expect(await opened()).toEqual([words]);
    await studio.picture('selected-from-beside');
    studio.pointer.type('X');
    await prints(`${head}X`);
    studio.pointer.key('ctrl+z');
    await eventually(async () => expect(await promptText()).toBe(before));
  },
);

test('a drag left of a line selects from its start', async () => {
  await openText('The ferry');
  await drag(await beside('The ferry', 'left'), await letterOf('The ferry', 9));
  await selects('The ferry');
});

test('a drag from beside a line into another text selects over both', async () => {
  await openText('The ferry');
  await drag(await beside('The ferry', 'right'), await letterOf('Be brief.', 2));
  await eventually(async () => expect(await selectedText()).toMatch(/Be$/));
  expect(await studio.page.lines(OPEN)).toEqual([]);
});
