// Keys that are pressed while an edit in the prompt is on its way: they act after it.
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { FERRY_WITH_GAP, writeFerry } from './ferry-deck';
import { leave, letterOf, OPEN, openAtEnd, prints, promptText } from './printed-prompt';
import { pause } from './prompt-selecting';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Ferry', 'ferry.json'], writeFerry(FERRY_WITH_GAP));

/** Has each edit of the prompt, and each undo, take its time: the page does not wait for an answer within a frame,
    and asks again. */
const SLOW = `
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    if (/prompt$/.test(url)) throw new Error('slow');
    return open.call(this, method, url, ...rest);
  };
  const { fetch } = window;
  window.fetch = async (url, ...rest) => {
    if (/edit_prompt|undo|redo/.test(url)) await new Promise((resolve) => setTimeout(resolve, 300));
    return fetch(url, ...rest);
  };
`;

beforeAll(async () => {
  studio.pointer.focus();
  await studio.window.executeScript(SLOW);
});

let before = '';
beforeEach(async () => {
  before = await promptText();
});

afterEach(async () => {
  await eventually(async () => {
    if ((await promptText()) !== before) studio.pointer.key('ctrl+z');
    await pause(400);
    expect(await promptText()).toBe(before);
  });
  if ((await studio.page.lines(OPEN)).length > 0) await leave();
});

/** The prompt has these words, also once nothing is on its way any more. */
const stays = async (words: string): Promise<void> => {
  await prints(words);
  await pause(700);
  expect(await promptText()).toContain(words);
};

const clipboardIs = (words: string) =>
  eventually(() => {
    expect(studio.clipboard()).toBe(words);
  });

interface Case {
  keys: string[];
  prints: string;
  copies?: string;
}

const CASES: Record<string, Case> = {
  Left: { keys: ['a', 'b', 'c', 'Left', 'X'], prints: 'Be brief.abXc\n' },
  'Left twice and a deletion': {
    keys: ['a', 'b', 'c', 'Left', 'Left', 'BackSpace'],
    prints: 'Be brief.bc\n',
  },
  'a deletion and Left': { keys: ['a', 'b', 'BackSpace', 'Left', 'X'], prints: 'Be brief.Xa\n' },
  'Delete after Left': { keys: ['a', 'b', 'Left', 'Delete', 'X'], prints: 'Be brief.aX\n' },
  'a word that is deleted': {
    keys: ['a', 'Left', 'ctrl+BackSpace', 'X'],
    prints: '- Be briefXa\n',
  },
  Home: { keys: ['a', 'b', 'Home', 'X'], prints: '- XBe brief.ab\n' },
  'Home and End': { keys: ['a', 'b', 'Home', 'X', 'End', 'Y'], prints: '- XBe brief.abY\n' },
  'a word to the left': { keys: ['a', 'b', 'ctrl+Left', 'X'], prints: 'Be Xbrief.ab\n' },
  'Shift and Left, typed over': {
    keys: ['a', 'b', 'c', 'shift+Left', 'shift+Left', 'X'],
    prints: 'Be brief.aX\n',
  },
  'Shift and Left, cut': {
    keys: ['a', 'b', 'c', 'shift+Left', 'ctrl+x'],
    prints: 'Be brief.ab\n',
    copies: 'c',
  },
  'Shift and Left, cut and pasted twice': {
    keys: ['a', 'b', 'c', 'shift+Left', 'ctrl+x', 'ctrl+v', 'ctrl+v'],
    prints: 'Be brief.abcc\n',
    copies: 'c',
  },
  'cut, moved and pasted': {
    keys: ['a', 'b', 'c', 'shift+Left', 'ctrl+x', 'Home', 'ctrl+v', 'X'],
    prints: '- cXBe brief.ab\n',
    copies: 'c',
  },
  'a paste of what was on the clipboard': {
    keys: ['a', 'Left', 'ctrl+v', 'X'],
    prints: 'Be brief.nothingXa\n',
  },
  'Shift and Left, copied': {
    keys: ['a', 'b', 'c', 'shift+Left', 'shift+Left', 'ctrl+c', 'X'],
    prints: 'Be brief.aX\n',
    copies: 'bc',
  },
  'Shift and Home, cut': {
    keys: ['a', 'b', 'shift+Home', 'ctrl+x', 'X'],
    prints: '- X\n',
    copies: 'Be brief.ab',
  },
  'Ctrl+A, cut': {
    keys: ['a', 'b', 'ctrl+a', 'ctrl+x', 'X'],
    prints: '- X\n',
    copies: 'Be brief.ab',
  },
  'Ctrl+A twice, deleted, and letters': {
    keys: ['a', 'ctrl+a', 'ctrl+a', 'Delete', 'X', 'Y', 'Left', 'Z'],
    prints: 'XZY',
  },
  Down: { keys: ['a', 'b', 'Down', 'X'], prints: 'Never explaXin.\n' },
  'Right into the next text': {
    keys: ['a', 'b', 'Right', 'X'],
    prints: 'Be brief.ab\n- XNever explain.',
  },
  'Shift and Right into the next text, typed over': {
    keys: ['a', 'b', 'shift+Right', 'shift+Right', 'shift+Right', 'X', 'Y'],
    prints: 'Be brief.abXYver explain.',
  },
  'Left, and Enter': { keys: ['a', 'b', 'Left', 'Return', 'X'], prints: 'Be brief.a\n- Xb\n' },
  'Enter, and a deletion that joins again': {
    keys: ['a', 'Return', 'b', 'Home', 'BackSpace', 'X'],
    prints: 'Be brief.aXb\n',
  },
  'undo and a letter': { keys: ['a', 'Left', 'X', 'ctrl+z', 'Y'], prints: 'Be brief.Ya\n' },
  'undo, Left and a letter': { keys: ['a', 'ctrl+z', 'Left', 'Y'], prints: 'Be briefY.\n' },
  'undo and redo': {
    keys: ['a', 'Left', 'X', 'ctrl+z', 'ctrl+y', 'Y'],
    prints: 'Be brief.XYa\n',
  },
  'a dead key': { keys: ['a', 'b', 'Left', 'dead_acute', 'e', 'X'], prints: 'Be brief.aéXb\n' },
  'Escape and a letter': {
    keys: ['a', 'b', 'Left', 'X', 'Escape', 'Y'],
    prints: '- YBe brief.aXb\n',
  },
  'Tab and a letter': { keys: ['a', 'b', 'Left', 'X', 'Tab', 'Y'], prints: 'Be brief.aXb\n' },
};

test.each(Object.entries(CASES))('%s', async (_, { keys, prints: expected, copies }) => {
  await openAtEnd('Be brief.');
  await studio.pointer.keysArrived();
  studio.copy('nothing');
  studio.pointer.key(...keys);
  await stays(expected);
  if (copies !== undefined) await clipboardIs(copies);
});

test.each([
  ['the open text', 'Be brief.', 3, 'Be Xbrief.ba\n'],
  ['another text', 'Never explain.', 6, 'Be brief.ba\n- Never Xexplain.'],
])(
  'a press into %s puts the caret there once the keys before it have acted',
  async (_, words, at, expected) => {
    const { pointer } = studio;
    await openAtEnd('Be brief.');
    await pointer.keysArrived();
    pointer.move(await letterOf(words, at));
    pointer.key('a', 'Left', 'b');
    pointer.press();
    pointer.release();
    pointer.key('X');
    await stays(expected);
  },
);

test('keys act where they were pressed after the author has gone to a field', async () => {
  const { page, pointer } = studio;
  const find = '[aria-label="Find in deck"]';
  pointer.key('ctrl+f');
  await page.sees(find);
  await openAtEnd('Be brief.');
  await pointer.keysArrived();
  pointer.move(await pointer.spot(find));
  pointer.key('a', 'Left', 'b');
  pointer.press();
  pointer.release();
  pointer.key('q');
  await stays('Be brief.ba\n');
  const value = await studio.window.executeScript(
    'return document.querySelector(arguments[0]).value',
    find,
  );
  expect(value).toBe('q');
  pointer.key('BackSpace', 'Escape');
});
