// Selections of the prompt that the pointer drags to outside of the prompt, or of what is in sight of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { FERRY_WITH_GAP } from './ferry-deck';
import {
  copied,
  leave,
  letterOf,
  openAtEnd,
  openText,
  PROMPT,
  prints,
  promptText,
} from './printed-prompt';
import { beginsUnselected, opened, pause } from './prompt-selecting';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const LINES = Array.from({ length: 60 }, (_, at) => `Line ${String(at + 1)}.`);

const LONG = {
  title: 'Long',
  assembly_order: ['scene', 'rules.items', 'end'],
  scene: { items: [{ id: 'landing', text: 'The ferry at dusk.' }] },
  rules: { items: [{ id: 'all', items: LINES }] },
  end: { items: [{ id: 'last', text: 'Greet the next traveller.' }] },
};

const LONG_PRINTED = `The ferry at dusk.\n\n${LINES.map((line) => `- ${line}\n`).join('')}\nGreet the next traveller.`;

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(FERRY_WITH_GAP));
  writeFileSync(join(registries, 'long.json'), JSON.stringify(LONG));
});

beginsUnselected();

/** Presses the button at a letter of a text, which is opened before or not. */
async function press(words: string, offset: number, isOpen: boolean): Promise<void> {
  const { pointer } = studio;
  if (isOpen) {
    await openText(words);
    // Two presses within GTK's 400 ms may be a double click, which selects a word.
    await pause(500);
  }
  pointer.move(await letterOf(words, offset));
  pointer.press();
}

/** The box of what scrolls the prompt. */
const view = () =>
  studio.window.executeScript<DOMRect>(
    'return document.querySelector(arguments[0]).closest(".scroll").getBoundingClientRect().toJSON()',
    PROMPT,
  );

/** Waits until what is selected, the line ends and the space around it aside, are these words. */
const selects = (words: string) =>
  eventually(async () => {
    expect(await selected()).toBe(words);
  });

const selected = async () =>
  (await studio.window.executeScript<string>('return getSelection().toString()'))
    .replaceAll(/\n+/g, '\n')
    .trim();

/** Undoes until the prompt has these words again. */
const undoTo = (words: string) =>
  eventually(async () => {
    studio.pointer.key('ctrl+z');
    await pause(100);
    expect(await promptText()).toContain(words);
  });

describe.each([
  ['an open text', true],
  ['no open text', false],
])('with %s', (_, isOpen) => {
  test('a drag to beside, above and below the prompt selects to what is nearest', async () => {
    const { pointer } = studio;
    await press('Never explain.', 6, isOpen);
    const { left, right, bottom, top } = await view();
    const middle = Math.round((left + right) / 2);
    pointer.move({ x: middle, y: Math.round(bottom - 4) });
    await selects('explain.\n- Stay calm.\nGreet the next traveller.');
    await studio.picture('select-outside');
    pointer.move({ x: middle, y: Math.round(bottom + 12) });
    await selects('explain.\n- Stay calm.\nGreet the next traveller.');
    pointer.move({ x: middle, y: Math.round(top - 30) });
    await selects('The ferry takes  across at dusk.\n- Be brief.\n- Never');
    // Beside the prompt the line counts.
    const { y } = await letterOf('Stay calm.', 4);
    pointer.move({ x: Math.round(left - 60), y });
    await selects('explain.');
    pointer.move({ x: Math.round(left - 60), y: (await letterOf('Greet the next', 4)).y });
    await selects('explain.\n- Stay calm.');
    pointer.move({ x: Math.round(right - 2), y });
    await selects('explain.\n- Stay calm.');
    const before = (await letterOf('Be brief.', 4)).y;
    pointer.move({ x: Math.round(left - 60), y: before });
    await selects('- Be brief.\n- Never');
    pointer.release();
    await pause(100);
    await selects('- Be brief.\n- Never');
    expect(await opened()).toEqual([]);
    expect(await copied()).toBe('- Be brief.\n- Never ');
    pointer.type('Do');
    await prints('\n- Doexplain.\n- Stay calm.');
    expect(await opened()).toEqual(['Doexplain.']);
    await undoTo('- Never explain.');
  });

  test('one that ends beside the text that it began in leaves that open', async () => {
    const { pointer } = studio;
    await press('Never explain.', 6, isOpen);
    const { left } = await view();
    pointer.move(await letterOf('Stay calm.', 4));
    await selects('explain.\n- Stay');
    pointer.move({ x: Math.round(left - 60), y: (await letterOf('Never explain.', 2)).y });
    await selects('- Never');
    pointer.release();
    await eventually(async () => expect(await opened()).toEqual(['Never explain.']));
    await selects('Never');
    pointer.type('Do');
    await prints('- Doexplain.');
    await undoTo('- Never explain.');
  });

  test('what was typed immediately before is in the prompt and selected', async () => {
    const { pointer } = studio;
    await openAtEnd('Be brief.');
    const start = await letterOf('Be brief.', 3);
    await pause(500);
    pointer.type(' now.');
    if (!isOpen) await leave();
    else await pointer.keysArrived();
    pointer.move(start);
    pointer.press();
    const { left, bottom } = await view();
    pointer.move({ x: Math.round(left + 100), y: Math.round(bottom + 12) });
    await selects('brief. now.\n- Never explain.\n- Stay calm.\nGreet the next traveller.');
    pointer.release();
    expect(await copied()).toBe(
      'brief. now.\n- Never explain.\n- Stay calm.\n\nGreet the next traveller.',
    );
    await undoTo('- Be brief.\n');
  });
});

describe('a drag held outside of what is in sight', () => {
  beforeAll(async () => {
    await studio.page.openRegistry('Long', 'long.json');
    await prints('Line 60.');
  });

  /** Scrolls the prompt to its start or its end. */
  const scroll = (top: number) =>
    studio.window.executeScript(
      'document.querySelector(arguments[0]).closest(".scroll").scrollTop = arguments[1]',
      PROMPT,
      top,
    );

  test.each([
    ['below', true],
    ['below', false],
    ['above', true],
    ['above', false],
  ])('scrolls and selects on: %s (with an open text: %s)', async (way, isOpen) => {
    const { pointer } = studio;
    const isDown = way === 'below';
    await scroll(isDown ? 0 : 10_000);
    const [words, offset] = isDown ? ['The ferry at dusk.', 4] : ['Greet the next', 6];
    await press(words, offset, isOpen);
    const { left, bottom, top } = await view();
    const x = Math.round(left + 100);
    // WebKit reports no move that begins to scroll before the next one.
    for (const by of [12, 14]) pointer.move({ x, y: Math.round(isDown ? bottom + by : top - by) });
    const expected = isDown
      ? LONG_PRINTED.slice(4)
      : LONG_PRINTED.slice(0, LONG_PRINTED.indexOf('the next'));
    await selects(expected.replaceAll(/\n+/g, '\n').trim());
    await studio.picture(`select-held-${way}`);
    pointer.release();
    expect(await opened()).toEqual([]);
    expect(await copied()).toBe(expected);
  });

  test('so does a press with Shift', async () => {
    const { pointer } = studio;
    await scroll(0);
    await openAtEnd('The ferry at dusk.');
    pointer.key('Home');
    await pause(500);
    const { left, bottom } = await view();
    pointer.move(await letterOf('Line 3.', 4));
    await pointer.hold('shift', async () => {
      pointer.press();
      await selects('The ferry at dusk.\n- Line 1.\n- Line 2.\n- Line');
      for (const by of [12, 14])
        pointer.move({ x: Math.round(left + 100), y: Math.round(bottom + by) });
      await eventually(async () => expect((await selected()).slice(-12)).toBe('t traveller.'));
      pointer.release();
    });
    expect(await copied()).toBe(LONG_PRINTED);
  });
});
