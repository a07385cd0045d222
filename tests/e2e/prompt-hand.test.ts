// The prompt under an author's hands: nothing moves while it is edited, accents of dead keys land once,
// text beside a slider's number, and the items that a roll could have taken.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { leave, openAtEnd, prints, promptText, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const LONG_NAME = 'greeting_of_the_next_traveller_who_comes_down_to_the_water_at_night';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'who.context', 'mood.scale', 'mood.nudges', 'end'],
  scene: { items: [{ id: 'landing', text: 'The ferry at dusk.' }] },
  who: {
    section_random: true,
    items: [
      { id: 'dry', context: 'You are dry.', weight: 3 },
      { id: 'loud', context: 'You are loud.' },
    ],
  },
  mood: {
    slider: 8,
    scale_template: 'At {value} of 10 you are {emotion}',
    array_modes: { nudges: 'random:2' },
    items: [{ id: 'calm', nudges: ['Hum low.', 'Nod twice.', 'Wait long.', 'Look away.'] }],
  },
  end: { items: [{ id: LONG_NAME, text: 'Greet the next traveller.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

/** Where an element is in the window, in pixels from its top. */
const top = (selector: string): Promise<number> =>
  studio.window.executeScript(
    'return document.querySelector(arguments[0]).getBoundingClientRect().top',
    selector,
  );

test('undo takes back what was typed at one place, and a paste alone', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  const text = await promptText();
  pointer.type(' Row');
  pointer.key('Home');
  pointer.type('So ');
  await prints('So The ferry at dusk. Row');
  // Copied from the prompt and pasted behind what is typed.
  pointer.key('shift+Right', 'shift+Right', 'shift+Right', 'ctrl+c', 'Right', 'ctrl+v');
  await prints('So TheThe ferry');
  pointer.key('ctrl+z');
  await prints('So The ferry at dusk. Row');
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toMatch(/^The ferry at dusk\. Row/));
  pointer.key('ctrl+z');
  await prints('The ferry at dusk.\n');
  await leave();
  expect(await promptText()).toBe(text);
});

test('all is selected by its key right after a letter, which goes with the rest', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  const before = await promptText();
  for (let round = 0; round < 12; round += 1) {
    // At the start of a text the prompt writes the letter, in its middle the browser.
    const place = round % 2 === 0 ? ['Home'] : ['Home', 'Right', 'Right'];
    const word = `Boat ${String(round)}`;
    pointer.key(...place, 'x', 'y', 'ctrl+a');
    pointer.type(word);
    await eventually(async () => expect(await promptText()).toContain(word));
    expect(await promptText()).toBe(before.replace('The ferry at dusk.', word));
  }
  await eventually(async () => {
    pointer.key('ctrl+z');
    expect(await promptText()).toBe(before);
  });
  await leave();
});

test('an accent of a dead key lands once, where the caret is', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  pointer.type(' Caf');
  pointer.key('dead_acute', 'e');
  await prints('The ferry at dusk. Café');
  pointer.type('s');
  await prints('The ferry at dusk. Cafés');
  await leave();
  expect(await promptText()).toContain('The ferry at dusk. Cafés\n');
});

test('text beside the number of a slider goes into its sentence, digits are refused', async () => {
  const { page, pointer } = studio;
  await openAtEnd('of 10 you are');
  pointer.key('Home', 'Right', 'Right', 'Right');
  pointer.type('~');
  await prints('At ~8 of 10');
  pointer.key('Right');
  pointer.type('5');
  await eventually(async () => {
    expect(await page.content('.provenance')).toContain('made by the slider of mood');
  });
  // Why it was refused is read whole.
  const cut = await studio.window.executeScript<boolean>(
    `const said = document.querySelector('.provenance .refusal');
     const bar = said.closest('.provenance').getBoundingClientRect();
     const box = said.getBoundingClientRect();
     return said.scrollWidth > said.clientWidth || box.right > bar.right || box.bottom > bar.bottom;`,
  );
  expect(cut).toBe(false);
  pointer.type(' out');
  await prints('At ~8 out of 10');
  await leave();
});

test('the items that a roll could have taken are listed with their odds, and one is chosen', async () => {
  const { page, pointer } = studio;
  const rolled = (await promptText()).includes('You are dry.') ? 'dry' : 'loud';
  const other = rolled === 'dry' ? 'loud' : 'dry';
  await pointer.click(await spotOf(`You are ${rolled}.`));
  const rows = '[role="listbox"][aria-label="Alternatives"] [role="option"]';
  await eventually(async () => {
    expect(await page.lines(rows)).toHaveLength(2);
  });
  const listed = await page.content('.alternatives');
  for (const words of ['1 of 2 items rolled', '75 %', '25 %', 'You are loud.']) {
    expect(listed).toContain(words);
  }
  const before = await top('[data-prompt] .block');
  const rowsBefore = await page.lines('.evaluation tbody tr');
  pointer.key(other === 'loud' ? 'Down' : 'Up', 'Return');
  await prints(`You are ${other}.`);
  await eventually(async () => {
    expect(await page.content('.notices')).toContain('who uses the same item in every roll now');
  });
  // Where only differences are shown, the row of the roll is gone; the prompt stays.
  expect(await top('[data-prompt] .block')).toBe(before);
  expect((await page.lines('.evaluation tbody tr')).join()).not.toBe(rowsBefore.join());
  // It is open with the caret at its end.
  pointer.type('!');
  await prints(`You are ${other}.!`);
  pointer.key('BackSpace');
  await prints(`You are ${other}.\n`);
  await leave();
});

test('what is typed at a rolled text goes into it, where it was pressed', async () => {
  const { page, pointer } = studio;
  const before = await promptText();
  const words = before.split('\n').find((line) => line.startsWith('- ')) ?? '';
  await pointer.click(await spotOf(words));
  const list = '[role="listbox"][aria-label="Alternatives"]';
  await eventually(async () => {
    expect(await page.lines(list)).toHaveLength(1);
  });
  pointer.type('a b c');
  await eventually(async () => {
    const after = await promptText();
    expect(after).toContain('a b c');
    expect(after.replace('a b c', '')).toBe(before);
  });
  pointer.key('ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
});

test('keys of the caret act on a rolled text that was pressed', async () => {
  const { page, pointer } = studio;
  const before = await promptText();
  const words = before.split('\n').find((line) => line.startsWith('- ')) ?? '';
  const list = '[role="listbox"][aria-label="Alternatives"]';
  const press = async () => {
    await pointer.click(await spotOf(words.slice(2, 6)));
    await eventually(async () => expect(await page.lines(list)).toHaveLength(1));
  };
  await press();
  pointer.key('End');
  pointer.type('!');
  await prints(`${words}!`);
  pointer.key('BackSpace');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
  // Two presses at one place within GTK's 400 ms are a double click, which selects a word.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await press();
  pointer.key('BackSpace', 'Home', 'Delete');
  await eventually(async () => {
    const line = (await promptText()).split('\n').find((each) => each.startsWith('- ')) ?? '';
    expect(line).toHaveLength(words.length - 2);
    expect(line.slice(2)).not.toContain(words[2]);
  });
  pointer.key('ctrl+z', 'ctrl+z');
  await eventually(async () => expect(await promptText()).toBe(before));
  await leave();
});

test('a text that is read does not move when a row above the prompt comes or goes', async () => {
  const { page, pointer, window } = studio;
  await page.pressIn('Rows', 'Differences');
  const words = (await promptText()).split('\n').find((line) => line.startsWith('- ')) ?? '';
  await pointer.click(await spotOf(words));
  const list = '[role="listbox"][aria-label="Alternatives"]';
  await eventually(async () => {
    expect(await page.lines(list)).toHaveLength(1);
  });
  const spot = await spotOf('The ferry at dusk.');
  const [before, height] = [await top(spot), (await page.lines('.evaluation tbody tr')).length];
  pointer.key('Return');
  await eventually(async () => {
    expect((await page.lines('.evaluation tbody tr')).length).not.toBe(height);
  });
  expect(await top(spot)).toBe(before);
  // The height follows the rows again when the focus leaves the prompt.
  const evaluationHeight = await window.executeScript<number>(
    'return document.querySelector(".evaluation").offsetHeight',
  );
  await page.pressIn('Rows', 'All');
  await eventually(async () => {
    const now = await window.executeScript<string>(
      'return document.querySelector(".evaluation").style.height',
    );
    expect(now).toBe('');
  });
  expect(evaluationHeight).toBeGreaterThan(0);
});

test('a name too long for the bar is cut in its middle, with the full name in its tooltip', async () => {
  const { pointer, window } = studio;
  await pointer.hover(await spotOf('Greet the next traveller.'));
  const [name, bar] = ['.provenance .cut-name', '.provenance'];
  const found = await eventually(async () => {
    const [words, title, cut, end, edge] = await window.executeScript<
      [string, string, boolean, number, number]
    >(
      `const name = document.querySelector(arguments[0]);
       const [start, end] = name.children;
       return [name.textContent, name.title, start.scrollWidth > start.clientWidth,
         end.getBoundingClientRect().right,
         document.querySelector(arguments[1]).getBoundingClientRect().right];`,
      name,
      bar,
    );
    expect(words).toBe(LONG_NAME);
    return { title, cut, end, edge };
  });
  expect(found.title).toBe(LONG_NAME);
  expect(found.cut).toBe(true);
  expect(found.end).toBeLessThan(found.edge);
});
