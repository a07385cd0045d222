// The prompt edited where it is printed: typing, entries of a list, values of variables, what can't be
// edited, and the alternatives of a roll.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, PROMPT, promptText, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'who.context', 'who.rules', 'mood.scale', 'mood.nudges', 'end'],
  scene: {
    template_vars: ['river'],
    items: [{ id: 'landing', text: 'The ferry on the {river} at dusk.' }],
  },
  who: { items: [{ id: 'dry', context: 'You are dry.', rules: ['Be brief.', 'Never explain.'] }] },
  mood: {
    slider: 8,
    array_modes: { nudges: 'random:2' },
    items: [{ id: 'calm', nudges: ['Hum low.', 'Nod twice.', 'Wait long.', 'Look away.'] }],
  },
  end: { items: [{ id: 'go', text: 'Greet the next traveller.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

/** What a field of the deck holds. */
const field = (label: string): Promise<string | undefined> =>
  studio.window.executeScript(
    'return document.querySelector(`:is(input, textarea)[aria-label="${arguments[0]}"]`)?.value',
    label,
  );

test('what is typed in the prompt is typed into its field, in one step of undo', async () => {
  const { page, pointer } = studio;
  await openAtEnd('You are dry.');
  pointer.type(' Very dry');
  await prints('You are dry. Very dry');
  await eventually(async () => {
    expect(await field('who.dry.context')).toBe('You are dry. Very dry');
  });
  pointer.key('BackSpace', 'BackSpace', 'BackSpace', 'BackSpace');
  await prints('You are dry. Very');
  expect(await page.content('.provenance')).toContain('editing');
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await promptText()).not.toContain('Very');
  });
  expect(await field('who.dry.context')).toBe('You are dry.');
  await leave();
});

test('Enter makes the next entry of a list, and Backspace joins it to the one before', async () => {
  const { pointer } = studio;
  await openAtEnd('Be brief.');
  pointer.key('Return');
  pointer.type('Stay calm.');
  await prints('- Be brief.\n- Stay calm.\n- Never explain.');
  pointer.key('Home', 'BackSpace');
  await prints('- Be brief.Stay calm.\n- Never explain.');
  pointer.key('ctrl+z', 'ctrl+z', 'ctrl+z');
  await prints('- Be brief.\n- Never explain.');
});

test('lines pasted into an entry become entries, in one step of undo', async () => {
  const { pointer } = studio;
  await openAtEnd('Never explain.');
  studio.copy(' Ever.\n\n* Stay calm.\n* Wait.\n');
  pointer.key('ctrl+v');
  await prints('- Be brief.\n- Never explain. Ever.\n- Stay calm.\n- Wait.');
  pointer.type('!');
  await prints('- Wait.!');
  pointer.key('ctrl+z', 'ctrl+z');
  await prints('- Be brief.\n- Never explain.');
});

test('lines that are copied whole are pasted into a text without their last line end', async () => {
  const { pointer } = studio;
  await openAtEnd('Greet the next traveller.');
  studio.copy(' Wait.\n\n\nLeave.\n');
  pointer.key('ctrl+v');
  await prints('Greet the next traveller. Wait.\n\nLeave.');
  pointer.key('ctrl+z');
  await prints('Greet the next traveller.');
  await leave();
});

test('a selection over several texts ends the editing, and what is typed at its end goes there', async () => {
  const { pointer } = studio;
  await openAtEnd('Never explain.');
  const from = await pointer.spot(await spotOf('You are dry.'), { x: 0.3 });
  const to = await pointer.spot(await spotOf('Be brief.'), { x: 0.6 });
  pointer.move(from);
  pointer.press();
  pointer.move(to);
  pointer.release();
  await eventually(async () => {
    expect(await studio.page.lines(OPEN)).toEqual([]);
  });
  pointer.key('Left');
  await eventually(async () => {
    expect((await studio.page.lines(OPEN)).join()).toContain('You are dry.');
  });
  await leave();
  // A text that has the focus and is not open.
  pointer.type('So it');
  await prints('So it');
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await promptText()).not.toContain('So it');
  });
  await leave();
});

test('the value of a variable is set where it is printed', async () => {
  const { page, pointer } = studio;
  await pointer.click(`${PROMPT} .gap`);
  await eventually(async () => {
    expect(await page.lines(OPEN)).toHaveLength(1);
  });
  pointer.type('Lethe');
  await prints('The ferry on the Lethe at dusk.');
  await eventually(async () => {
    expect(await field('scene variable river')).toBe('Lethe');
  });
  pointer.key('BackSpace');
  await prints('The ferry on the Leth at dusk.');
});

test('the number of a slider is not typed, and says where it is set', async () => {
  const { page, pointer } = studio;
  await pointer.hover(`${PROMPT} .fixed`);
  await eventually(async () => {
    expect(await page.content('.reason')).toContain('8 is made by the slider');
  });
  await pointer.click(`${PROMPT} .fixed`, { x: 0.2 });
  await eventually(async () => {
    expect(await page.lines(OPEN)).toHaveLength(1);
  });
  pointer.key('Delete');
  await eventually(async () => {
    expect(await page.content('.provenance')).toContain('made by the slider of mood');
    expect(await page.content('[role="status"] > .reason')).toContain('8 is made by the slider');
  });
  await prints('intensity is 8 on calm');
});

test('a rolled entry lists what could have been printed, and one is chosen', async () => {
  const { page, pointer } = studio;
  const rolled = await page.lines(`${PROMPT} .rolled`);
  expect(rolled).toHaveLength(2);
  await pointer.click(`${PROMPT} .rolled`);
  await eventually(async () => {
    expect(
      await page.lines('[role="listbox"][aria-label="Alternatives"] [role="option"]'),
    ).toHaveLength(4);
  });
  expect(await page.content('.alternatives')).toContain('2 of 4 rolled');
  expect(await page.content('.alternatives')).toContain('50 %');
  const entries = DECK.mood.items[0]?.nudges ?? [];
  const other = entries.findIndex((entry) => !rolled.join().includes(entry));
  await pointer.click(`.alternatives [role="option"]:nth-child(${String(other + 1)}) .words`);
  await prints(`- ${entries[other] ?? ''}`);
  // It is set now, and no roll any more.
  await eventually(async () => {
    expect(await page.lines(`${PROMPT} .rolled`)).toEqual([]);
  });
  await eventually(async () => {
    expect(await page.content('.notices')).toContain('same entries in every roll');
  });
  await pointer.click('.notices .notice:last-child button:first-of-type');
  await eventually(async () => {
    expect(await page.lines(`${PROMPT} .rolled`)).toEqual(rolled);
  });
});
