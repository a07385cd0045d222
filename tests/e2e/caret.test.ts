// Where the caret is after an edit that was not typed: an undo or a redo, on the card and in the prompt, and
// a file that another program changed. What is typed next goes there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, promptText, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'tone.rules', 'end', 'menu'],
  scene: {
    template_vars: ['who'],
    template_var_defaults: { who: 'Ada' },
    items: [{ id: 'landing', text: '{who} waits for the ferry.' }],
  },
  tone: {
    items: [{ id: 'calm', rules: ['Hum low.', 'Nod twice.', 'Look away.'] }],
  },
  end: { items: [{ id: 'greet', text: 'Greet the next one.' }] },
  menu: {
    template_vars: ['dish'],
    items: [{ id: 'card', text: '{dish}\nStay calm.\nCount the coins.' }],
  },
};
const FILE = 'ferry.json';

opens(['Ferry', FILE], ({ registries }) => {
  writeFileSync(join(registries, FILE), JSON.stringify(DECK));
});

beforeEach(() => studio.pointer.focus());

/** Opens a text of the prompt and puts the caret behind so many letters. */
const openAt = async (words: string, letters: number) => {
  await openAtEnd(words);
  studio.pointer.key('Home', ...Array.from({ length: letters }, () => 'Right'));
};

test('in the prompt the caret is where an undo took something away, and behind what a redo put back', async () => {
  const { pointer } = studio;
  await openAt('Greet the next one.', 8);
  pointer.type('Dab');
  await prints('Greet thDabe next one.');
  pointer.key('ctrl+z');
  await prints('Greet the next one.');
  pointer.key('ctrl+shift+z');
  await prints('Greet thDabe next one.');
  pointer.type('E');
  await prints('Greet thDabEe next one.');
  pointer.key('ctrl+z', 'ctrl+z');
  await prints('Greet the next one.');
  pointer.type('F');
  await prints('Greet thFe next one.');
  pointer.key('ctrl+z');
  await prints('Greet the next one.');
  await leave();
});

test('in a value of the prompt as well', async () => {
  const { pointer } = studio;
  await openAt('Ada waits', 2);
  pointer.type('elin');
  await prints('Adelina waits');
  pointer.key('ctrl+z');
  await prints('Ada waits');
  pointer.type('i');
  await prints('Adia waits');
  pointer.key('ctrl+z');
  await prints('Ada waits');
  await leave();
});

test('a value with a default is deleted letter by letter, and the next one typed over the last', async () => {
  const { pointer } = studio;
  await openAt('Ada waits', 3);
  pointer.key('BackSpace', 'BackSpace', 'BackSpace');
  await prints('A waits');
  pointer.type('Bob');
  await prints('Bob waits');
  pointer.key('BackSpace', 'BackSpace', 'BackSpace');
  pointer.type('Ada');
  await prints('Ada waits');
  await leave();
});

test('after an entry of a list was taken back the caret is in the entry before', async () => {
  const { pointer } = studio;
  await openAtEnd('Nod twice.');
  pointer.key('Return');
  pointer.type('new');
  await prints('- new');
  pointer.key('ctrl+z', 'ctrl+z');
  await eventually(async () => expect(await promptText()).not.toContain('- new'));
  await eventually(async () => expect(await promptText()).toMatch(/Nod twice\.\n- Look/));
  pointer.type(' Y');
  await prints('- Nod twice. Y\n- Look away.');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).not.toContain(' Y'));
  await leave();
});

test('a letter at the start of an entry is deleted by the next key, and the entries stay apart', async () => {
  const { pointer } = studio;
  await openAt('Nod twice.', 0);
  pointer.key('x', 'BackSpace', 'y', 'BackSpace', 'z', 'BackSpace', 'w');
  await prints('- Hum low.\n- wNod twice.\n- Look away.');
  pointer.key('BackSpace', 'BackSpace');
  await prints('- Hum low.Nod twice.\n- Look away.');
  pointer.key('ctrl+z');
  await prints('- Hum low.\n- Nod twice.\n- Look away.');
  await leave();
});

test('on a card the caret is where an undo took something away', async () => {
  const { pointer, page } = studio;
  await page.enter('end.greet.text');
  pointer.key('ctrl+Home', ...Array.from({ length: 8 }, () => 'Right'));
  pointer.type('Dab');
  await prints('Greet thDabe next one.');
  pointer.key('ctrl+z');
  await prints('Greet the next one.');
  pointer.type('E');
  await prints('Greet thEe next one.');
  pointer.key('ctrl+z');
  await prints('Greet the next one.');
});

test('the caret stays at its words when another program writes before them', async () => {
  const { pointer } = studio;
  await studio.page.keys(['\uE009'], 's');
  await openAtEnd('Greet the next one.');
  const path = join(home.registries, FILE);
  const changed = readFileSync(path, 'utf8').replace('Greet the', 'Look up. Greet the');
  writeFileSync(path, changed);
  await prints('Look up. Greet the next one.');
  pointer.type('!');
  await prints('Look up. Greet the next one.!');
  pointer.key('Home', 'Right', 'Right');
  writeFileSync(path, readFileSync(path, 'utf8'));
});

test('a letter beyond the first 65,536 arrives once', async () => {
  const { pointer } = studio;
  await openAtEnd('Greet');
  pointer.type(' A🎉B');
  await prints('A🎉B');
  expect((await promptText()).split('Greet')).toHaveLength(2);
  pointer.key('Home');
  pointer.type('🎉a');
  await prints('🎉aLook up. Greet');
  expect((await promptText()).split('Greet')).toHaveLength(2);
  await leave();
});

/** Opens a text of several lines by a press in its last. */
const openLines = async (words: string) => {
  await studio.pointer.click(await spotOf(words), { x: 0.1, y: 0.8 });
  await eventually(async () => expect((await studio.page.lines(OPEN)).join()).toContain(words));
};

test('the last line of a text is cut, and its line break goes with it', async () => {
  const { pointer } = studio;
  await openLines('Stay calm.');
  pointer.key('End', 'shift+Home', 'ctrl+x');
  await eventually(async () => expect(await promptText()).not.toContain('coins'));
  pointer.type('Wait.');
  await prints('Stay calm.\nWait.');
  await leave();
});

test('a variable without a value before a line break is filled', async () => {
  const { pointer } = studio;
  await pointer.click('[aria-label="Evaluated prompt"] .gap[data-spot]');
  await eventually(async () => expect(await studio.page.lines(OPEN)).toHaveLength(1));
  pointer.type('Soup');
  await prints('Soup\nStay calm.');
  await leave();
});

test('of three line breaks the prompt holds two, and no letter is lost', async () => {
  const { pointer } = studio;
  await openLines('Wait.');
  pointer.key('End', 'Return', 'Return', 'Return');
  pointer.type('para');
  await prints('Wait.\n\npara');
  pointer.key('Up', 'Up', 'Up', 'Up', 'Home', 'Return');
  pointer.type('x');
  await eventually(async () => expect(await promptText()).toMatch(/x(Soup|Stay)/));
  await leave();
});

test('what is copied across sections has the blank lines between them', async () => {
  const { pointer } = studio;
  await openAtEnd('Look away.');
  await leave();
  pointer.key('ctrl+a', 'ctrl+c');
  await eventually(() => expect(studio.clipboard()).toMatch(/Look away\.\n\n[^]*calm/));
});

test('Tab leaves the open text', async () => {
  const { pointer, page } = studio;
  await openAtEnd('Greet');
  pointer.key('Tab');
  await eventually(async () => expect(await page.lines(OPEN)).toEqual([]));
});

test('words that are cut and pasted in their section keep their variable', async () => {
  const { pointer, page } = studio;
  await openAtEnd('waits for');
  pointer.key('Home', ...Array.from({ length: 9 }, () => 'shift+Right'), 'ctrl+x');
  await eventually(async () => expect(await promptText()).not.toContain('waits'));
  pointer.key('End', 'ctrl+v');
  await prints('Ada waits');
  await leave();
  expect(await page.read('scene.landing.text')).toMatch(/{who} waits$/);
});
