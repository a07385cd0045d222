// A line of the prompt that is so long that it is drawn in several chunks: where they meet nothing is
// between them but a break of the row.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { OPEN, PROMPT } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const WORD = 'All of it. ';
const LINE = WORD.repeat(6_000);

opens(['Long line', 'long_line.json'], ({ registries }) => {
  const text = `First.\n${LINE}\nLast.`;
  const rules = { items: [{ id: 'all', text }] };
  const deck = { title: 'Long line', assembly_order: ['rules.text'], rules };
  writeFileSync(join(registries, 'long_line.json'), JSON.stringify(deck));
});

beforeAll(() => studio.pointer.focus());

const lines = () =>
  studio.window.executeScript<string[]>(
    'return document.querySelector(arguments[0]).textContent.split("\\n")',
    `${PROMPT} [data-spot="0/0"]`,
  );

const holds = (line: string) =>
  eventually(async () => {
    const [first, found, last] = await lines();
    expect([first, last]).toEqual(['First.', 'Last.']);
    expect(found === line, `${String(found?.length)} of ${String(line.length)} letters`).toBe(true);
  });

test('keys at the place where two chunks meet delete and type one letter', async () => {
  const { pointer } = studio;
  const chunk = `${PROMPT} [data-spot="0/0"] .lines:nth-of-type(3)`;
  const before = await studio.window.executeScript<number>(
    `const chunk = document.querySelector(arguments[0]);
     const range = document.createRange();
     range.setStart(chunk.closest('[data-spot]'), 0);
     range.setEndBefore(chunk);
     return range.toString().length - 'First.\\n'.length;`,
    chunk,
  );
  expect(before).toBeGreaterThan(10_000);
  await pointer.click(chunk, { x: 0.01, y: 0.001 });
  await studio.page.sees(OPEN);
  pointer.key('Home');
  pointer.type('x');
  await holds(`${LINE.slice(0, before)}x${LINE.slice(before)}`);
  pointer.key('BackSpace');
  await holds(LINE);
  pointer.key('BackSpace');
  await holds(LINE.slice(0, before - 1) + LINE.slice(before));
  pointer.type(' ');
  await holds(LINE);
  pointer.key('Left', 'Delete');
  await holds(LINE.slice(0, before - 1) + LINE.slice(before));
  pointer.key('ctrl+z');
  await holds(LINE);
});
