// Long texts that are pasted into the dialog of a new registry: only what is in sight is laid out, also
// of one that is pasted into its field. Times are printed only, since other programs may run.
import { beforeAll, expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(() => {
  studio.pointer.focus();
});

const ask = <T>(script: string, ...values: unknown[]): Promise<T> =>
  studio.window.executeScript<T>(script, ...values);

const DIALOG = 'dialog[open]';

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `Line ${String(n)} of the log, and more words than anyone would read.`,
  ).join('\n');
const paragraphs = Array.from({ length: 2_000 }, (_, n) =>
  `Paragraph ${String(n)} has `.padEnd(500, 'many words '),
).join('\n\n');

/** Pastes, and gives the times until the text is drawn in its sections and between two turns of the page. */
async function paste(text: string): Promise<{ took: number; longest: number }> {
  studio.copy(text);
  await ask(
    `const [drawn] = arguments;
     window.took = null;
     let from, last, longest = 0;
     const beat = () => {
       const now = performance.now();
       longest = Math.max(longest, now - last);
       last = now;
       if (window.took === null) setTimeout(beat, 5);
     };
     const look = () => {
       if (!document.querySelector(drawn)) setTimeout(look, 5);
       else requestAnimationFrame(() => setTimeout(() => {
         window.took = { took: performance.now() - from, longest };
       }));
     };
     const start = ({ key }) => {
       if (key !== 'v') return;
       removeEventListener('keydown', start, { capture: true });
       from = last = performance.now();
       beat();
       look();
     };
     addEventListener('keydown', start, { capture: true });`,
    `${DIALOG} [data-line="1"]`,
  );
  studio.pointer.key('ctrl+v');
  return eventually(async () => {
    const took = await ask<{ took: number; longest: number } | null>('return window.took');
    if (took === null) throw new Error('the text is not read');
    return took;
  }, 60_000);
}

test.each([
  ['1 MB of lines', lines(15_000)],
  ['1 MB of paragraphs', paragraphs],
  ['1 MB in one line', 'word '.repeat(200_000).trim()],
  ['10 MB', lines(150_000)],
])('%s', async (name, text) => {
  studio.pointer.key('ctrl+i');
  await studio.page.sees(DIALOG);
  const found = await paste(text);
  console.info(name, found);
  const [drawn, all] = await ask<[number, number]>(
    `const rows = [...document.querySelectorAll(arguments[0])];
     const drawn = rows.filter((row) => row.checkVisibility({ contentVisibilityAuto: true }));
     return [drawn.length, rows.length];`,
    `${DIALOG} [data-line]`,
  );
  expect(all).toBeLessThanOrEqual(2_000);
  expect(drawn).toBeLessThan(300);
  expect(await studio.page.content(DIALOG)).toContain('byte for byte');
  await studio.page.pressInDialog('Replace');
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count(DIALOG)).toBe(0);
  });
});

test('what is too long for the field is read with what is written there', async () => {
  studio.pointer.key('ctrl+i');
  await studio.page.sees(DIALOG);
  await studio.pointer.click(`${DIALOG} textarea`);
  studio.pointer.type('Before  after');
  studio.pointer.key('Left', 'Left', 'Left', 'Left', 'Left', 'Left');
  const found = await paste(lines(15_000));
  console.info('into the field', found);
  expect(await studio.page.content(`${DIALOG} [data-line="1"]`)).toContain(
    'Before Line 0 of the log',
  );
});

test('the arrows reach every line that is listed', async () => {
  const focused = () =>
    ask<string | undefined>('return document.activeElement.dataset.line').then(Number);
  await studio.pointer.click(`${DIALOG} [data-line="3"]`);
  studio.pointer.key('End');
  await eventually(async () => {
    expect(await focused()).toBe(2_000);
  });
  studio.pointer.key('Page_Up', 'Up');
  await eventually(async () => {
    expect(await focused()).toBe(1_989);
  });
  const inSight = await ask<boolean>(
    `const row = document.activeElement.getBoundingClientRect();
     const { top, bottom } = document.activeElement.closest('.text').getBoundingClientRect();
     return row.top >= top - 1 && row.bottom <= bottom + 1 && row.height > 0;`,
  );
  expect(inSight).toBe(true);
});
