// Pastes into the prompt and their way back: the caret stays in sight, the line below the prompt is about what
// it shows, and a line break at the end waits for words where the prompt cannot hold it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { leave, OPEN, openAtEnd, prints, PROMPT, promptText } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'rules.items', 'end'],
  scene: { items: [{ id: 'landing', text: 'The ferry at dusk.' }] },
  rules: { items: [{ id: 'all', items: ['Be brief.', 'Never explain.'] }] },
  end: { items: [{ id: 'last', text: 'Greet the next traveller.' }] },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

const LINES = Array.from({ length: 4_000 }, (_, n) => `Line ${String(n)} of the log.`);

/** Whether the caret is drawn within the panel. */
const showsCaret = () =>
  eventually(async () => {
    const [above, below] = await studio.window.executeScript<[number, number]>(
      `const { focusNode: node, focusOffset: at } = getSelection();
       const range = document.createRange();
       range.setStart(node, Math.max(at - 1, 0));
       range.setEnd(node, at);
       const box = [...range.getClientRects()].at(-1) ?? node.parentElement.getBoundingClientRect();
       const view = document.querySelector('[data-prompt]').getBoundingClientRect();
       return [box.top - view.top, view.bottom - box.bottom];`,
    );
    expect(above).toBeGreaterThanOrEqual(-1);
    expect(below).toBeGreaterThanOrEqual(-1);
  });

const scrolled = (): Promise<number> =>
  studio.window.executeScript('return document.querySelector("[data-prompt]").scrollTop');

test('after a long paste and after its undo the caret is in sight and the fault is gone', async () => {
  const { page, pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  studio.copy(`\n${LINES.join('\n')} {x}`);
  pointer.key('ctrl+v');
  await prints('Line 3999 of the log. {x}');
  await showsCaret();
  expect(await scrolled()).toBeGreaterThan(10_000);
  await eventually(async () =>
    expect(await page.content('.provenance')).toContain('{x} not declared'),
  );
  pointer.type('abc');
  await prints('{x}abc');
  pointer.key('ctrl+z');
  await prints('log. {x}\n');
  pointer.key('ctrl+z');
  await prints('The ferry at dusk.\n');
  await showsCaret();
  await eventually(async () =>
    expect(await page.content('.provenance')).not.toContain('not declared'),
  );
  await leave();
});

test('lines that become entries leave the caret in sight, in the last of them', async () => {
  const { page, pointer } = studio;
  await openAtEnd('Never explain.');
  studio.copy(LINES.slice(0, 400).join('\n'));
  pointer.key('ctrl+v');
  await prints('Line 399 of the log.');
  await eventually(async () =>
    expect((await page.lines(OPEN)).join()).toContain('Line 399 of the log.'),
  );
  await showsCaret();
  pointer.key('ctrl+z');
  await prints('Never explain.\n');
  await leave();
});

test('the line below the prompt is about what is under the pointer after an undo', async () => {
  const { page, pointer } = studio;
  await openAtEnd('Greet the next traveller.');
  pointer.type(' {y}');
  await prints('Greet the next traveller. {y}');
  await leave();
  await pointer.hover(`${PROMPT} [data-near="2"] [data-spot]`);
  await eventually(async () =>
    expect(await page.content('.provenance')).toContain('{y} not declared'),
  );
  pointer.key('ctrl+z');
  await prints('Greet the next traveller.');
  await eventually(async () =>
    expect(await page.content('.provenance')).not.toContain('not declared'),
  );
  expect(await page.content('.provenance')).toContain('end');
});

const isOpen = (text: string) =>
  eventually(async () => expect(await studio.page.lines(OPEN)).toEqual([text]));

test('a line break that ends a paste at the end of a text is there with the next word', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  studio.copy(' simple  \n');
  pointer.key('ctrl+v');
  await isOpen('The ferry at dusk. simple  \n');
  pointer.key('ctrl+z');
  await isOpen('The ferry at dusk.');
  pointer.key('ctrl+v');
  await isOpen('The ferry at dusk. simple  \n');
  pointer.type('CAR');
  await prints('The ferry at dusk. simple  \nCAR\n');
  await leave();
  pointer.key('ctrl+z');
  await eventually(async () => {
    if (!(await promptText()).startsWith('The ferry at dusk.\n')) pointer.key('ctrl+z');
    expect(await promptText()).toMatch(/^The ferry at dusk\.\n/);
  });
});

test('so is that of a paste over several texts', async () => {
  const { pointer } = studio;
  await openAtEnd('The ferry at dusk.');
  pointer.key('shift+Down', 'shift+Down');
  studio.copy('AB\nzwei\n');
  pointer.key('ctrl+v');
  await prints('zwei');
  pointer.type('X');
  await prints('AB\nzwei\nX');
});
