// A text of the prompt that is emptied stays open where it was until it is left: what is typed next is
// its new text, and no button beside the prompt is pressed meanwhile.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, openText, PROMPT, prints, promptText } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const deck = (registry: object) => JSON.stringify(registry);

const ONE = deck({
  title: 'One',
  assembly_order: ['scene'],
  scene: { items: [{ id: 'quay', text: 'The ferry.' }] },
});

const MANY = deck({
  title: 'Many',
  assembly_order: ['scene', 'who.context', 'rules.items', 'end'],
  scene: {
    items: [{ id: 'quay', text: 'At dusk.', fragments: [{ text: 'It rains.' }] }],
  },
  who: { items: [{ id: 'dry', context: 'You are dry.' }] },
  rules: { items: [{ id: 'all', items: ['Only rule.'] }] },
  end: { items: [{ id: 'go', text: 'Greet them.' }] },
});

opens(['One', 'one.json'], ({ registries }) => {
  writeFileSync(join(registries, 'one.json'), ONE);
  writeFileSync(join(registries, 'many.json'), MANY);
});

beforeAll(() => studio.pointer.focus());

afterEach(async () => {
  if ((await studio.page.lines(OPEN)).length > 0) await leave();
});

const focused = (): Promise<string> =>
  studio.window.executeScript(
    `const own = document.activeElement;
     return (own.getAttribute('aria-label') || '') + '|' + own.tagName + '|' + own.className;`,
  );

/** Waits until an empty text is open. */
const isEmptied = () =>
  eventually(async () => {
    expect(await studio.page.all(OPEN, 'aria-label')).toHaveLength(1);
    expect((await studio.page.lines(OPEN)).join('')).toBe('');
    expect(await focused()).toContain('open');
  });

test('the only text of a prompt is emptied and written anew', async () => {
  const { page, pointer } = studio;
  for (const empties of [['ctrl+a', 'BackSpace'], Array<string>(10).fill('BackSpace')]) {
    await openAtEnd('The ferry.');
    pointer.key(...empties);
    await isEmptied();
    // Once more than there are letters: nothing is said, nothing goes.
    pointer.key('BackSpace');
    pointer.type('A new boat now');
    await prints('A new boat now');
    expect(await page.content('.notices')).not.toContain('check');
    // Typing and what it replaced are undone as on a card.
    await eventually(async () => {
      if ((await promptText()) !== 'The ferry.') pointer.key('ctrl+z');
      expect(await promptText()).toBe('The ferry.');
    });
    await leave();
  }
});

test('undo and redo of the emptying keep the caret in the text', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry.');
  pointer.key('ctrl+a', 'BackSpace');
  await isEmptied();
  pointer.key('ctrl+z');
  await prints('The ferry.');
  pointer.key('ctrl+shift+z');
  await isEmptied();
  pointer.type('x');
  await prints('x');
  pointer.key('ctrl+z');
  await eventually(async () => {
    if ((await promptText()) !== 'The ferry.') pointer.key('ctrl+z');
    expect(await promptText()).toBe('The ferry.');
  });
});

test('an emptied prompt is left to its note, which leads back into its text', async () => {
  const { page, pointer } = studio;
  await openAtEnd('The ferry.');
  pointer.key('ctrl+a', 'BackSpace');
  await isEmptied();
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.content('[data-prompt]')).toContain('The prompt is empty');
    expect(await focused()).toContain('Press here to write its first text.');
  });
  // Space and letters at the note write the text.
  pointer.key('space');
  await isEmptied();
  pointer.type('By ');
  await prints('By');
  pointer.type('boat');
  await prints('By boat');
  pointer.key('ctrl+a', 'BackSpace');
  await isEmptied();
  pointer.key('Escape');
  // Far below its words as well: the empty view has nothing else to press.
  await pointer.click('[data-prompt]', { x: 0.3, y: 0.9 });
  await isEmptied();
  pointer.type('The ferry.');
  await prints('The ferry.');
});

test('a text among others is emptied and written anew where it was', async () => {
  const { page, pointer } = studio;
  await page.openRegistry('Many', 'many.json');
  await prints('Greet them.');
  const before = await promptText();
  for (const words of ['At dusk.', 'It rains.', 'You are dry.', 'Only rule.', 'Greet them.']) {
    await openText(words);
    pointer.key('ctrl+a', 'BackSpace');
    await isEmptied();
    expect(await promptText()).not.toContain(words);
    pointer.type('new');
    await eventually(async () => expect(await promptText()).toBe(before.replace(words, 'new')));
    pointer.key(...Array<string>(4).fill('BackSpace'));
    await isEmptied();
    pointer.key('Escape');
    await eventually(async () => {
      expect(await page.lines(OPEN)).toEqual([]);
      expect(await focused()).toContain('|SPAN|spot');
    });
    await eventually(async () => {
      if ((await promptText()) !== before) pointer.key('ctrl+z');
      expect(await promptText()).toBe(before);
    });
  }
});

test('a press on another text leaves an emptied one, and opens what was pressed', async () => {
  const { page, pointer } = studio;
  const before = await promptText();
  await openAtEnd('At dusk.');
  pointer.key('ctrl+a', 'BackSpace');
  await isEmptied();
  const spots = await page.lines(`${PROMPT} [data-spot]`);
  const ids = await page.all(`${PROMPT} [data-spot]`, 'data-spot');
  const id = ids[spots.findIndex((words) => words.includes('Greet'))];
  await pointer.click(`[data-spot="${String(id)}"]`);
  await eventually(async () => {
    expect((await page.lines(OPEN)).join()).toBe('Greet them.');
  });
  pointer.key('End');
  pointer.type('!');
  await prints('Greet them.!');
  await leave();
  await eventually(async () => {
    if ((await promptText()) !== before) pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
});

test('lines pasted into the emptied only entry of a list become entries, in one step', async () => {
  const { pointer } = studio;
  const before = await promptText();
  await openAtEnd('Only rule.');
  pointer.key('ctrl+a', 'BackSpace');
  await isEmptied();
  studio.copy('- First rule.\n- Second rule.\n');
  pointer.key('ctrl+v');
  await prints('- First rule.\n- Second rule.');
  pointer.type(' End');
  await prints('- First rule.\n- Second rule. End');
  await leave();
  pointer.key('ctrl+z', 'ctrl+z');
  await eventually(async () => expect(await promptText()).not.toContain('rule'));
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
});

test('the last entry that is joined to the one before leaves no empty text, and typing goes on', async () => {
  const { page, pointer } = studio;
  const before = await promptText();
  await openAtEnd('Only rule.');
  pointer.key('Return');
  pointer.type('Be brief.');
  await prints('- Only rule.\n- Be brief.');
  pointer.key('Home', 'BackSpace');
  await prints('\nOnly rule.Be brief.');
  await eventually(async () => {
    expect((await page.lines(OPEN)).join()).toBe('Only rule.Be brief.');
  });
  pointer.type(' ');
  await prints('\nOnly rule. Be brief.');
  await leave();
  await eventually(async () => {
    if ((await promptText()) !== before) pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
});

test('blank lines before words within a text are kept as one', async () => {
  const { pointer } = studio;
  await openAtEnd('You are dry.');
  pointer.type(' Really.');
  await prints('You are dry. Really.');
  pointer.key(...Array<string>(' Really.'.length).fill('Left'));
  pointer.key('Return', 'Return', 'Return');
  pointer.type('So');
  await prints('You are dry.\n\nSo Really.');
  pointer.key('Home', 'Up', 'Return', 'Return');
  pointer.type('z');
  await eventually(async () =>
    expect(await promptText()).toMatch(/You are dry\.\n\nz\n+So Really\./),
  );
});
