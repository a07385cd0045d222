// Half a megabyte that is pasted into the prompt: it is there once it is laid out, and its field on the card
// is pressed where it shows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { openAtEnd, PROMPT } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const LINES = Array.from(
  { length: 6_000 },
  (_, n) => `Line ${String(n)} of the log: שלום עולם 🚢, and more words than fit a line of a card.`,
);
const DECK = {
  title: 'Log',
  assembly_order: ['log'],
  log: { items: [{ id: 'long', text: 'The log.' }] },
};

opens(['Log', 'log.json'], ({ registries }) => {
  writeFileSync(join(registries, 'log.json'), JSON.stringify(DECK));
});

const FIELD = '[aria-label="log.long.text"]';
const AREA = `.area:has(${FIELD})`;

beforeAll(async () => {
  studio.pointer.focus();
  await studio.page.menu('log actions', 'Edit items');
  await studio.page.press('Edit long');
  await studio.page.sees(FIELD);
});

const ask = <T>(script: string, ...values: unknown[]): Promise<T> =>
  studio.window.executeScript<T>(script, ...values);

test('it is in the prompt in little longer than it takes to lay it out', async () => {
  await openAtEnd('The log.');
  studio.copy(`\n${LINES.join('\n')}`);
  await ask(
    `const [prompt, last] = arguments;
     window.took = null;
     addEventListener('keydown', ({ key }) => {
       if (key !== 'v') return;
       const from = performance.now();
       let isDrawn = false;
       // To the frame after the one that lays the card out.
       const look = () => {
         if (isDrawn) window.took = performance.now() - from;
         else requestAnimationFrame(() => setTimeout(look));
         isDrawn = document.querySelector(prompt).textContent.includes(last);
       };
       look();
     }, { capture: true });`,
    PROMPT,
    LINES.at(-1),
  );
  studio.pointer.key('ctrl+v');
  const took = await eventually(async () => {
    const found = await ask<number | null>('return window.took');
    if (found === null) throw new Error('the text is not in the prompt');
    return found;
  }, 60_000);
  const layout = await ask<number>(
    `const block = document.querySelector(arguments[0]);
     const copy = block.cloneNode(true);
     copy.style.cssText = 'position: absolute; width: ' + block.offsetWidth + 'px';
     block.offsetHeight;
     block.after(copy);
     const from = performance.now();
     copy.offsetHeight;
     const took = performance.now() - from;
     copy.remove();
     return took;`,
    `${PROMPT} .block`,
  );
  console.info('pasted and laid out, ms', { took, layout });
  expect(took).toBeLessThan(3 * layout);
});

test('its field on the card is pressed at the letter that shows', async () => {
  const { pointer } = studio;
  await eventually(async () => {
    expect(await ask(`return document.querySelector(arguments[0])?.className`, FIELD)).toContain(
      'text',
    );
  });
  await ask(
    `const area = document.querySelector(arguments[0]);
     area.scrollTop = area.scrollHeight / 2;`,
    AREA,
  );
  const { x, y } = await pointer.spot(AREA, { x: 0.3 });
  const words = await ask<string>(
    `const { startContainer: text, startOffset: at } = document.caretRangeFromPoint(...arguments);
     return text.data.slice(at - 20, at);`,
    x,
    y,
  );
  await pointer.click(AREA, { x: 0.3 });
  const caret = await eventually(async () => {
    const found = await ask<{ words: string; top: number } | null>(
      `if (!document.activeElement.matches(arguments[0])) return null;
       const { focusNode: text, focusOffset: at } = getSelection();
       const range = document.createRange();
       range.setStart(text, at - 1);
       range.setEnd(text, at);
       return { words: text.data.slice(at - 20, at), top: range.getBoundingClientRect().top };`,
      FIELD,
    );
    if (!found) throw new Error('the field has no focus');
    return found;
  });
  expect(caret.words).toBe(words);
  expect(Math.abs(caret.top - y)).toBeLessThan(24);
});
