// Where typing goes at the edges of a variable's value: the caret stays in the text that it came through,
// an arrow steps into or out of the value before it moves, and the value that is edited is marked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, openText, prints, promptText, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'rules.items', 'end'],
  scene: {
    template_vars: ['venue'],
    template_var_defaults: { venue: 'Pier' },
    items: [{ id: 'quay', text: 'at {venue}, tonight' }],
  },
  rules: {
    template_vars: ['guest', 'gift'],
    template_var_defaults: { guest: 'Ada' },
    items: [{ id: 'all', items: ['Greet {guest}', 'Bring {gift} now', 'Leave.'] }],
  },
  end: { items: [{ id: 'go', text: 'Greet them.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

let before = '';
beforeEach(async () => {
  before = await promptText();
});

afterEach(async () => {
  const { page, pointer } = studio;
  if ((await page.lines(OPEN)).length > 0) await leave();
  // One undo per burst of typing.
  await eventually(async () => {
    if ((await promptText()) !== before) pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
});

const right = (times: number) => studio.pointer.key(...Array<string>(times).fill('Right'));
const left = (times: number) => studio.pointer.key(...Array<string>(times).fill('Left'));

/** The value that is marked, with what the bar below the prompt says of it. */
const edits = (value: string | undefined, variable?: string) =>
  eventually(async () => {
    const marked = await studio.page.lines(`${OPEN} .variable[data-edited]`);
    expect(marked).toEqual(value === undefined ? [] : [value]);
    const bar = await studio.page.content('.provenance');
    if (variable === undefined) expect(bar).not.toContain('variable');
    else expect(bar).toMatch(new RegExp(`variable\\s*${variable}`));
  });

/** Where the caret is drawn. */
const caretX = (): Promise<number> =>
  studio.window.executeScript('return getSelection().getRangeAt(0).getClientRects()[0].left');

const field = (label: string): Promise<string | undefined> =>
  studio.window.executeScript(
    'return document.querySelector(`textarea[aria-label="${arguments[0]}"]`)?.value',
    label,
  );

const written = (text: string) =>
  eventually(async () => expect(await field('scene.quay.text')).toBe(text));

const openScene = async () => {
  await openAtEnd('tonight');
  studio.pointer.key('Home');
  await edits(undefined);
};

test('before a value the right arrow steps in, and the caret stays', async () => {
  await openScene();
  right(3);
  await edits(undefined);
  const at = await caretX();
  right(1);
  await edits('Pier', 'venue');
  expect(await caretX()).toBe(at);
  await studio.picture('value-edited');
  studio.pointer.type('Old ');
  await prints('at Old Pier, tonight');
  await edits('Old Pier', 'venue');
  await written('at {venue}, tonight');
});

test('an accent of a dead key takes the place of selected words and a value', async () => {
  await openScene();
  studio.pointer.key(...Array<string>('at Pier,'.length).fill('shift+Right'));
  studio.pointer.key('dead_acute', 'e');
  await prints('é tonight');
  await written('é tonight');
  studio.pointer.type('t');
  await prints('ét tonight');
});

test('before a value typing goes into the text when the caret came through it', async () => {
  await openScene();
  right(3);
  studio.pointer.type('the ');
  await prints('at the Pier, tonight');
  await edits(undefined);
  await written('at the {venue}, tonight');
});

test('at the end of a value typing goes into it, and the right arrow steps out', async () => {
  await openScene();
  right(3 + 1 + 4);
  await edits('Pier', 'venue');
  const at = await caretX();
  studio.pointer.type('s');
  await prints('at Piers, tonight');
  await edits('Piers', 'venue');
  right(1);
  await edits(undefined);
  studio.pointer.key('Left', 'BackSpace');
  await prints('at Pier, tonight');
  await edits('Pier', 'venue');
  expect(await caretX()).toBe(at);
  right(1);
  await edits(undefined);
  expect(await caretX()).toBe(at);
  studio.pointer.type(' hall');
  await prints('at Pier hall, tonight');
  await edits(undefined);
  await written('at {venue} hall, tonight');
});

test('a caret that comes from the right stays outside, and the left arrow steps in', async () => {
  await openAtEnd('tonight');
  left(', tonight'.length);
  await edits(undefined);
  left(1);
  await edits('Pier', 'venue');
  left(4);
  await edits('Pier', 'venue');
  left(1);
  await edits(undefined);
});

test('behind a value that ends its text is a place of the text', async () => {
  await openAtEnd('Greet Ada');
  await edits('Ada', 'guest');
  right(1);
  await edits(undefined);
  studio.pointer.type(' first');
  await prints('- Greet Ada first\n');
  await edits(undefined);
});

test('a name in braces becomes the variable, and typing goes on behind it', async () => {
  await openAtEnd('tonight');
  studio.pointer.type(' by {venue} hall');
  await prints('at Pier, tonight by Pier hall');
  await written('at {venue}, tonight by {venue} hall');
});

test('a value that lost its last letter gets the next one', async () => {
  await openAtEnd('Greet Ada');
  studio.pointer.type('x');
  await prints('Greet Adax');
  // Without a value the default is printed.
  studio.pointer.key('ctrl+z');
  await prints('Greet Ada\n');
});

test('Enter beside a variable without a value splits its entry there', async () => {
  const { pointer } = studio;
  await openText('Bring ');
  right(1);
  await eventually(async () => expect(await studio.page.all(OPEN, 'data-name')).toEqual(['gift']));
  pointer.key('Return');
  await eventually(async () => {
    expect(await studio.page.content('.provenance')).toContain('Gift is a variable');
  });
  pointer.key('Left');
  await eventually(async () => expect(await studio.page.lines(OPEN)).toEqual(['Bring ']));
  pointer.key('Return');
  await prints('- Bring \n-  now\n');
});

test('Backspace behind a variable without a value joins no entries', async () => {
  const { pointer } = studio;
  await pointer.click(await spotOf(' now'), { x: 0.4 });
  await eventually(async () => expect(await studio.page.lines(OPEN)).toEqual([' now']));
  left(2);
  await eventually(async () => expect(await studio.page.lines(OPEN)).toEqual([' now']));
  pointer.key('BackSpace');
  await eventually(async () => {
    expect(await studio.page.content('.provenance')).toContain('nothing to delete');
  });
  expect(await promptText()).toBe(before);
});
