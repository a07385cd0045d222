// Keys that lead out of one text of the prompt, by hand: to the ends of a line that variables without a value
// cut, over all of a text and of the prompt, and on into the next text.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, promptText, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'rules.items', 'end'],
  scene: {
    template_vars: ['guest', 'gift', 'pier'],
    template_var_defaults: { pier: 'Old pier' },
    items: [{ id: 'quay', text: 'Greet {guest} with {gift} at once.\nMeet at {pier}, tonight.' }],
  },
  rules: { items: [{ id: 'all', items: ['Be brief.', 'Stay calm.'] }] },
  end: { items: [{ id: 'last', text: 'Greet the traveller.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

let before = '';
beforeEach(async () => {
  before = await promptText();
  await studio.window.executeScript('getSelection().removeAllRanges()');
});

afterEach(async () => {
  const { page, pointer } = studio;
  await eventually(async () => {
    if ((await promptText()) !== before) pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
  if ((await page.lines(OPEN)).length > 0) await leave();
});

const isOpen = (words: string) =>
  eventually(async () => {
    expect(await studio.page.lines(OPEN)).toEqual([words]);
  });

/** Opens the first text with its caret in the middle of it. */
async function openFirst(): Promise<void> {
  const { pointer } = studio;
  await pointer.click(await spotOf('Greet '), { x: 0.5, y: 0.5 });
  await eventually(async () => {
    expect((await studio.page.lines(OPEN)).join()).toContain('Greet');
  });
}

const selected = (): Promise<string> =>
  studio.window.executeScript('return getSelection().toString().replaceAll(/\\n+/g, "\\n").trim()');

const isSelected = (words: string) =>
  eventually(async () => {
    expect(await selected()).toBe(words);
  });

/** What the field of a text holds. */
const field = (label: string): Promise<string | undefined> =>
  studio.window.executeScript(
    'return document.querySelector(`[aria-label="${arguments[0]}"]`)?.value',
    label,
  );

const holds = (text: string) =>
  eventually(async () => {
    expect(await field('scene.quay.text')).toBe(text);
  });

test('End and Home go to the ends of the line, past variables without a value', async () => {
  const { pointer } = studio;
  await openFirst();
  pointer.key('End');
  await isOpen(' at once.\nMeet at Old pier, tonight.');
  pointer.type('!');
  await holds('Greet {guest} with {gift} at once.!\nMeet at {pier}, tonight.');
  pointer.key('ctrl+z', 'Home');
  await isOpen('Greet ');
  pointer.type('Now ');
  await prints('Now Greet  with');
  await studio.picture('prompt-keys-home');
});

test('in the middle of a line End leads on as well, and stays in a line that one text ends', async () => {
  const { pointer } = studio;
  await pointer.click(await spotOf(' with '), { x: 0.5 });
  await isOpen(' with ');
  pointer.key('Home');
  await isOpen('Greet ');
  pointer.key('End', 'Down');
  await isOpen(' at once.\nMeet at Old pier, tonight.');
  pointer.key('Home');
  pointer.type('We ');
  await holds('Greet {guest} with {gift} at once.\nWe Meet at {pier}, tonight.');
});

test('Ctrl+A selects all of a text that variables cut, then all of the prompt', async () => {
  const { pointer } = studio;
  await openFirst();
  pointer.key('ctrl+a');
  await isSelected('Greet  with  at once.\nMeet at Old pier, tonight.');
  await studio.picture('prompt-keys-all');
  pointer.type('Hello');
  await eventually(async () => {
    expect(await promptText()).toBe('Hello\n- Be brief.\n- Stay calm.\nGreet the traveller.');
  });
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  pointer.key('ctrl+a');
  await isSelected('Greet  with  at once.\nMeet at Old pier, tonight.');
  pointer.key('ctrl+a');
  await eventually(async () => expect(await selected()).toMatch(/^Greet {2}with[^]*traveller\.$/));
});

test('in a text without them Ctrl+A selects it, and pressed again the prompt', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  pointer.key('ctrl+a');
  await isSelected('Be brief.');
  pointer.key('ctrl+a');
  await eventually(async () => expect(await selected()).toMatch(/^Greet {2}with[^]*traveller\.$/));
  pointer.type('New');
  await eventually(async () => expect((await promptText()).trim()).toBe('New'));
});

test('Shift and an arrow go on into the next text, and back into the first', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  pointer.key('shift+Left', 'shift+Right');
  await isOpen('Be brief.');
  // The line break and the bullet are one step.
  pointer.key('Left', 'Left', ...Array<string>('f.|S'.length).fill('shift+Right'));
  await isSelected('f.\n- S');
  expect(await studio.page.lines(OPEN)).toEqual([]);
  await studio.picture('prompt-keys-extended');
  pointer.key('Delete');
  await prints('\nBe brietay calm.\n');
  pointer.key('ctrl+z');
  await isSelected('f.\n- S');
  pointer.key('shift+Down');
  await eventually(async () => expect(await selected()).toMatch(/^f\.\n- Stay calm\.\nGre/));
});

test('a selection that comes back into one text is typed over there', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  pointer.key('Left', ...Array<string>('.|S'.length).fill('shift+Right'));
  await isSelected('.\n- S');
  expect(await studio.page.lines(OPEN)).toEqual([]);
  pointer.key(...Array<string>('ef.|S'.length).fill('shift+Left'));
  await isOpen('Be brief.');
  await isSelected('ef');
  pointer.type('X');
  await prints('- Be briX.\n- Stay calm.');
});

test('Ctrl+Home and Ctrl+End go to the ends of the prompt, with Shift they select to them', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  pointer.key('ctrl+End');
  await isOpen('Greet the traveller.');
  pointer.key('shift+Left');
  await isSelected('.');
  pointer.key('ctrl+Home');
  await isOpen('Greet ');
  pointer.key('shift+Right');
  await isSelected('G');
  await leave();
  await openAtEnd('Be brief.');
  pointer.key('Left', 'Left', 'shift+ctrl+End');
  await isSelected('f.\n- Stay calm.\nGreet the traveller.');
  expect(await studio.page.lines(OPEN)).toEqual([]);
  pointer.key('shift+ctrl+Home');
  await isSelected('Greet  with  at once.\nMeet at Old pier, tonight.\n- Be brie');
  pointer.key('ctrl+End');
  await isOpen('Greet the traveller.');
});

test('Shift and the arrows select over a variable without a value', async () => {
  const { pointer } = studio;
  await openFirst();
  pointer.key('Home', 'shift+End');
  await isSelected('Greet  with  at once.');
  pointer.key('shift+Home');
  await eventually(async () => expect(await selected()).toBe(''));
  pointer.key(...Array<string>('Greet '.length + 3).fill('shift+Right'));
  await eventually(async () => expect(await selected()).toMatch(/^Greet {1,2}wi?t?$/));
});

test('Enter at the edge of a value breaks the line beside it, within it its own', async () => {
  const { page, pointer } = studio;
  await openFirst();
  pointer.key('End');
  await isOpen(' at once.\nMeet at Old pier, tonight.');
  pointer.key('Down', 'End', ...Array<string>(', tonight.'.length + 1).fill('Left'));
  await eventually(async () => {
    expect(await page.lines(`${OPEN} .variable[data-edited]`)).toEqual(['Old pier']);
  });
  pointer.key('Return');
  await holds('Greet {guest} with {gift} at once.\nMeet at {pier}\n, tonight.');
  expect(await field('scene variable pier')).toBe('');
  pointer.key('ctrl+z');
  await holds('Greet {guest} with {gift} at once.\nMeet at {pier}, tonight.');
  pointer.key('Left', 'Left', 'Left', 'Return');
  const breaks = (count: number) =>
    eventually(async () => {
      expect((await field('scene variable pier'))?.split('\n')).toHaveLength(count + 1);
    });
  await breaks(1);
  pointer.key('shift+Return');
  await breaks(2);
  await studio.picture('prompt-keys-value-lines');
});
