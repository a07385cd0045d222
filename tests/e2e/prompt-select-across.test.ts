// Selections that begin in the open text of the prompt and end in another, by a drag or a press with Shift.
import { beforeEach, expect, test } from 'vitest';

import { FERRY_WITH_GAP, writeFerry } from './ferry-deck';
import {
  copied,
  letterOf,
  openAtEnd,
  openText,
  prints,
  promptText,
  selectedText,
} from './printed-prompt';
import { beginsUnselected, opened, pause } from './prompt-selecting';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const PRINTED =
  'The ferry takes  across at dusk.\n\n- Be brief.\n- Never explain.\n- Stay calm.\n\nGreet the next traveller.';

opens(['Ferry', 'ferry.json'], writeFerry(FERRY_WITH_GAP));

beginsUnselected();

type Letter = [words: string, offset: number];

/** The part of the prompt from some words to others. */
const part = (from: string, to: string) =>
  PRINTED.slice(PRINTED.indexOf(from), PRINTED.indexOf(to) + to.length);

const isPrinted = (text: string) =>
  eventually(async () => {
    expect((await promptText()).replaceAll(/\n+/g, '\n').trim()).toBe(
      text.replaceAll(/\n+/g, '\n'),
    );
  });

/** Opens the text of a letter and presses the button there. */
async function press(from: Letter): Promise<void> {
  const { pointer } = studio;
  await openText(from[0].trim());
  // Two presses within GTK's 400 ms may be a double click, which selects a word.
  await pause(500);
  const start = await letterOf(...from);
  pointer.move(start);
  pointer.press();
  pointer.move({ ...start, x: start.x + 12 });
}

/** Waits until what is selected, its line ends aside, are these words. */
const selects = (words: string) =>
  eventually(async () => {
    expect((await selectedText()).replaceAll(/\n+/g, '\n')).toBe(words.replaceAll(/\n+/g, '\n'));
  });

/** Presses a letter with Shift held. */
async function shiftPress(at: Letter): Promise<void> {
  const { pointer } = studio;
  await pause(500);
  pointer.move(await letterOf(...at));
  await pointer.hold('shift', async () => {
    pointer.press();
    await pause(60);
    pointer.release();
  });
}

beforeEach(() => isPrinted(PRINTED));

const WAYS: [string, Letter, Letter, string][] = [
  ['down', ['The ferry takes', 4], ['Never explain.', 6], part('ferry takes', '- Never ')],
  ['up', ['Never explain.', 6], ['The ferry takes', 4], part('ferry takes', '- Never ')],
  ['over a variable', ['The ferry takes', 4], [' across at', 7], part('ferry takes', ' across')],
  [
    'back over a variable',
    [' across at', 7],
    ['The ferry takes', 4],
    part('ferry takes', ' across'),
  ],
  ['over a bullet', ['Never explain.', 6], ['Stay calm.', 5], part('explain.', '- Stay ')],
  ['back over a bullet', ['Never explain.', 6], ['Be brief.', 3], part('brief.', '- Never ')],
];

test.each(WAYS)('a drag %s goes on in another text', async (_, from, to, words) => {
  const { pointer } = studio;
  await press(from);
  expect(await opened()).toHaveLength(1);
  pointer.move(await letterOf(...to));
  // Before it ends.
  await selects(words);
  expect(await opened()).toEqual([]);
  pointer.release();
  await pause(100);
  await selects(words);
  expect(await copied()).toBe(words);
  await isPrinted(PRINTED);
});

test.each(WAYS)('a press with Shift %s selects to it', async (_, from, to, words) => {
  await press(from);
  studio.pointer.move(await letterOf(...from));
  studio.pointer.release();
  await shiftPress(to);
  await selects(words);
  expect(await opened()).toEqual([]);
  expect(await copied()).toBe(words);
  await isPrinted(PRINTED);
});

test('the selection follows the pointer, also back into the text that it came from', async () => {
  const { pointer } = studio;
  await press(['Never explain.', 6]);
  pointer.move(await letterOf('Stay calm.', 5));
  await selects('explain.\n- Stay ');
  pointer.move(await letterOf('Greet the next', 6));
  await selects('explain.\n- Stay calm.\n\nGreet ');
  pointer.move(await letterOf('The ferry takes', 4));
  await selects('ferry takes  across at dusk.\n\n- Be brief.\n- Never ');
  pointer.move(await letterOf('Never explain.', 13));
  await selects('explain');
  expect(await opened()).toEqual([]);
  pointer.release();
  await eventually(async () => expect(await opened()).toEqual(['Never explain.']));
  await selects('explain');
  pointer.type('ask');
  await prints('- Never ask.');
  pointer.key('ctrl+z');
  await isPrinted(PRINTED);
});

test('a drag whose first move is out of the text selects, and drags no words', async () => {
  const { pointer } = studio;
  await openText('Greet the next');
  await pause(500);
  const start = await letterOf('Greet the next', 6);
  pointer.move(start);
  pointer.press();
  pointer.move({ ...start, y: (await letterOf('The ferry takes', 4)).y });
  pointer.move(await letterOf('The ferry takes', 4));
  await selects(part('ferry takes', 'Greet '));
  pointer.move(await letterOf('Never explain.', 6));
  await selects(part('explain.', 'Greet '));
  pointer.release();
  expect(await copied()).toBe(part('explain.', 'Greet '));
});

test('a drag within the text is as it was', async () => {
  const { pointer } = studio;
  await press(['Never explain.', 6]);
  pointer.move(await letterOf('Never explain.', 13));
  await selects('explain');
  expect(await opened()).toEqual(['Never explain.']);
  const end = await letterOf('Never explain.', 14);
  // The empty part beside it is of its line.
  pointer.move({ ...end, x: end.x + 150 });
  await selects('explain.');
  expect(await opened()).toEqual(['Never explain.']);
  pointer.release();
  await pause(100);
  await selects('explain.');
  expect(await opened()).toEqual(['Never explain.']);
});

test('what was typed just before a drag is in the prompt, and what is selected is typed over', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  const [start, end] = [await letterOf('Be brief.', 3), await letterOf('Never explain.', 6)];
  await pause(500);
  pointer.type(' now.');
  await pointer.keysArrived();
  pointer.move(start);
  pointer.press();
  pointer.move(end);
  await selects('brief. now.\n- Never ');
  pointer.release();
  expect(await copied()).toBe('brief. now.\n- Never ');
  pointer.type('s');
  await isPrinted(PRINTED.replace('brief.\n- Never ', 's'));
  pointer.key('ctrl+z');
  await isPrinted(PRINTED.replace('Be brief.', 'Be brief. now.'));
  await selects('brief. now.\n- Never ');
  await eventually(async () => {
    pointer.key('ctrl+z');
    await pause(100);
    expect((await promptText()).includes('now')).toBe(false);
  });
});

test('arrows with Shift extend the selection, arrows alone leave it', async () => {
  const { pointer } = studio;
  await press(['Be brief.', 3]);
  pointer.move(await letterOf('Never explain.', 6));
  await selects('brief.\n- Never ');
  pointer.release();
  pointer.key('shift+Right');
  await selects('brief.\n- Never e');
  pointer.key('Left');
  await eventually(async () => expect(await opened()).toEqual(['Be brief.']));
  pointer.type('X');
  await prints('- Be Xbrief.');
  pointer.key('ctrl+z');
  await isPrinted(PRINTED);
});

test('a press with Shift extends a selection over several texts', async () => {
  const { pointer } = studio;
  await press(['Be brief.', 3]);
  pointer.move(await letterOf('Never explain.', 6));
  await selects('brief.\n- Never ');
  pointer.release();
  await shiftPress(['Stay calm.', 4]);
  await selects('brief.\n- Never explain.\n- Stay');
  await shiftPress(['The ferry takes', 4]);
  await selects('ferry takes  across at dusk.\n\n- Be ');
  expect(await opened()).toEqual([]);
  expect(await copied()).toBe('ferry takes  across at dusk.\n\n- Be ');
});

test('a press with Shift goes on from the other end of what is selected', async () => {
  const { pointer } = studio;
  await press(['Never explain.', 13]);
  pointer.move(await letterOf('Never explain.', 6));
  await selects('explain');
  pointer.release();
  await shiftPress(['The ferry takes', 4]);
  await selects(part('ferry takes', '- Never explain'));
  expect(await opened()).toEqual([]);
});

test('a press with Shift that moves on before its end selects to where it ends', async () => {
  const { pointer } = studio;
  await openAtEnd('Never explain.');
  await pause(500);
  pointer.move(await letterOf('Stay calm.', 4));
  await pointer.hold('shift', async () => {
    pointer.press();
    await selects('\n- Stay');
    pointer.move(await letterOf('The ferry takes', 4));
    await selects(part('ferry takes', '- Never explain.'));
    pointer.release();
  });
  await pause(100);
  await selects(part('ferry takes', '- Never explain.'));
});

test('a press with Shift beside the text selects to the end of its line', async () => {
  const { pointer } = studio;
  await openAtEnd('Never explain.');
  pointer.key('Home', 'Right', 'Right', 'Right', 'Right', 'Right', 'Right');
  await pause(500);
  const end = await letterOf('Never explain.', 14);
  pointer.move({ ...end, x: end.x + 150 });
  await pointer.hold('shift', async () => {
    pointer.press();
    await pause(60);
    pointer.release();
  });
  await selects('explain.');
  expect(await opened()).toEqual(['Never explain.']);
});
