// Selections over several texts of the prompt, deleted and typed over by hand.
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { FERRY, writeFerry } from './ferry-deck';
import {
  leave,
  letterOf,
  OPEN,
  openAtEnd,
  prints,
  PROMPT,
  promptText,
  selectedText,
} from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const PRINTED =
  'The ferry at dusk.\n- Be brief.\n- Never explain.\n- Stay calm.\nGreet the next traveller.';

opens(['Ferry', 'ferry.json'], writeFerry(FERRY));

beforeAll(() => studio.pointer.focus());

const isPrinted = (text: string) =>
  eventually(async () => {
    expect((await promptText()).replaceAll(/\n+/g, '\n').trim()).toBe(text);
  });

beforeEach(async () => {
  await isPrinted(PRINTED);
  // A press on selected words would drag them.
  await studio.window.executeScript('getSelection().removeAllRanges()');
});

/** Selects from a letter of one text to a letter of another with the pointer. */
async function drag(from: [string, number], to: [string, number]): Promise<void> {
  const { pointer } = studio;
  const [start, end] = [await letterOf(...from), await letterOf(...to)];
  pointer.move(start);
  pointer.press();
  pointer.move({ x: Math.round((start.x + end.x) / 2), y: Math.round((start.y + end.y) / 2) });
  pointer.move(end);
  pointer.release();
  await eventually(async () => {
    expect((await selectedText()).replaceAll(/\s/g, '').length).toBeGreaterThan(5);
  });
}

/** Takes back an edit over several texts; its words are selected again then. */
const undo = async (words: string) => {
  studio.pointer.key('ctrl+z');
  await isPrinted(PRINTED);
  await eventually(async () => {
    expect((await selectedText()).replaceAll(/\n+/g, '\n').trim()).toBe(words);
  });
  expect(await studio.page.lines(OPEN)).toEqual([]);
};

/** What is said at the selection. */
const reason = () => studio.page.content(`${PROMPT} [role=status]`);

test('a drag over two entries and Delete joins them', async () => {
  await drag(['Be brief.', 3], ['Never explain.', 6]);
  studio.pointer.key('Delete');
  await isPrinted('The ferry at dusk.\n- Be explain.\n- Stay calm.\nGreet the next traveller.');
  // The caret is where the selection began.
  studio.pointer.type('quick, ');
  await prints('- Be quick, explain.');
  studio.pointer.key('ctrl+z');
  await prints('- Be explain.');
  await undo('brief.\n- Never');
  // As anything that is selected.
  studio.pointer.type('s');
  await isPrinted('The ferry at dusk.\n- Be sexplain.\n- Stay calm.\nGreet the next traveller.');
  await undo('brief.\n- Never');
});

test('a press on words that an undo selected again puts the caret there', async () => {
  const { pointer, page } = studio;
  await drag(['The ferry at dusk.', 4], ['Never explain.', 6]);
  pointer.key('Delete');
  await isPrinted('The\n- explain.\n- Stay calm.\nGreet the next traveller.');
  await undo('ferry at dusk.\n- Be brief.\n- Never');
  // Not a double click with the press of the drag.
  await new Promise((resolve) => setTimeout(resolve, 500));
  pointer.move(await letterOf('Never explain.', 2));
  pointer.press();
  await new Promise((resolve) => setTimeout(resolve, 60));
  pointer.release();
  await eventually(async () => expect(await page.lines(OPEN)).toEqual(['Never explain.']));
  pointer.type('W');
  await prints('- NeWver explain.');
  pointer.key('ctrl+z');
  await isPrinted(PRINTED);
  await leave();
});

test('a word is typed over a drag across sections', async () => {
  await drag(['The ferry at dusk.', 4], ['Greet the next traveller.', 10]);
  studio.pointer.type('boat');
  await isPrinted('The boat\nnext traveller.');
  studio.pointer.key('ctrl+z');
  await undo('ferry at dusk.\n- Be brief.\n- Never explain.\n- Stay calm.\nGreet the');
});

test('what is cut over several texts is pasted elsewhere', async () => {
  await drag(['Never explain.', 0], ['Stay calm.', 10]);
  studio.pointer.key('ctrl+x');
  // A list of one entry prints no bullet.
  await isPrinted('The ferry at dusk.\nBe brief.\nGreet the next traveller.');
  await leave();
  await openAtEnd('Greet the next traveller.');
  studio.pointer.key('ctrl+v');
  await prints('traveller.Never explain.\n- Stay calm.');
  studio.pointer.key('ctrl+z');
  await prints('Greet the next traveller.');
  studio.pointer.key('ctrl+z');
  await isPrinted(PRINTED);
  if ((await studio.page.lines(OPEN)).length > 0) await leave();
});

test('Shift and the arrows extend a selection over sections, and Backspace deletes it', async () => {
  await drag(['The ferry at dusk.', 4], ['Stay calm.', 4]);
  studio.pointer.key('shift+Right');
  studio.pointer.key('BackSpace');
  await isPrinted('The\ncalm.\nGreet the next traveller.');
  await undo('ferry at dusk.\n- Be brief.\n- Never explain.\n- Stay');
});

test('all of the prompt is typed over', async () => {
  await drag(['The ferry at dusk.', 4], ['Stay calm.', 4]);
  studio.pointer.key('ctrl+a');
  studio.pointer.type('New');
  await isPrinted('New');
  studio.pointer.key('ctrl+z');
  await undo(PRINTED);
});

test('a letter with an accent is not typed over several texts without it', async () => {
  const { pointer } = studio;
  await drag(['Be brief.', 3], ['Never explain.', 6]);
  pointer.key('dead_acute', 'e');
  await eventually(async () => expect(await reason()).toContain('A letter with an accent'));
  expect((await promptText()).includes('- Be brief.\n- Never explain.')).toBe(true);
  pointer.type('e');
  await prints('- Be eexplain.');
  await undo('brief.\n- Never');
});

test('an input method writes nothing over several texts, and why is said', async () => {
  await drag(['Be brief.', 3], ['Never explain.', 6]);
  // No input method runs on the display: its events as WebKit sends them.
  await studio.window.executeScript(
    `const target = document.activeElement;
     const key = { key: 'Process', isComposing: true, bubbles: true, cancelable: true };
     target.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
     target.dispatchEvent(new KeyboardEvent('keydown', key));
     target.dispatchEvent(new CompositionEvent('compositionupdate', { data: 'ni', bubbles: true }));
     target.dispatchEvent(new CompositionEvent('compositionend', { data: '你', bubbles: true }));`,
  );
  await eventually(async () => expect(await reason()).toContain('of an input method'));
  await isPrinted(PRINTED);
  expect((await selectedText()).replaceAll(/\s/g, '')).toContain('brief.');
  // The keys that follow are keys again.
  studio.pointer.type('s');
  await prints('- Be sexplain.');
  await undo('brief.\n- Never');
});

test('what is selected of several texts is moved into another one by a drag, as one step', async () => {
  const { pointer } = studio;
  await drag(['Be brief.', 3], ['Never explain.', 6]);
  const start = await letterOf('Never explain.', 3);
  const end = await letterOf('Greet the', 6);
  // Two presses at one place within GTK's 400 ms are a double click, which selects a word.
  await new Promise((resolve) => setTimeout(resolve, 500));
  pointer.move(start);
  pointer.press();
  for (const spot of [end, { ...end, x: end.x + 2 }, end]) {
    pointer.move(spot);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  pointer.release();
  await isPrinted(
    'The ferry at dusk.\n- Be explain.\n- Stay calm.\nGreet brief.\n- Never the next traveller.',
  );
  pointer.key('ctrl+z');
  await isPrinted(PRINTED);
});
