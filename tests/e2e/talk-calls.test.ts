// Two tool calls that end a call document, one after the other answered by hand: while the second
// waits, what is written below has its words whole, also in a small window.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const asks = (id: string, team: string) => ({
  id,
  type: 'function',
  function: { name: 'read_score', arguments: JSON.stringify({ team }) },
});

opens(['Trivia Host', 'trivia_host.json'], ({ registries }) => {
  const file = join(registries, 'calls', 'quiz_night.json');
  const call = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  delete call.message;
  const history = [
    { role: 'user', content: 'Who is in the lead?' },
    { role: 'assistant', content: '', tool_calls: [asks('blue', 'blue'), asks('red', 'red')] },
  ];
  writeFileSync(file, JSON.stringify({ ...call, history }));
});

beforeAll(async () => {
  const { page, pointer } = studio;
  await page.showTab('Request');
  await page.choose('Target', 'OpenAI chat completions');
  await page.showTab('Run');
  pointer.focus();
  await pointer.click('[data-call=blue] textarea');
  pointer.type('{"points": 19}');
  pointer.key('ctrl+Return');
  await page.sees('[data-call=red] textarea:focus');
});

/** Words of the composer that do not fit where they are. */
const CUT = `
  return [...document.querySelectorAll('.composer *')]
    .filter((each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX === 'hidden')
    .map((each) => each.textContent);
`;

test.each([
  [1280, 800],
  [800, 700],
])('in %i by %i', async (width, height) => {
  await studio.resize(width, height);
  await eventually(async () => {
    expect(await studio.page.content('.composer')).toContain('Answer the tool call first.');
    expect(await studio.window.executeScript(CUT)).toEqual([]);
  });
  const room = await studio.window.executeScript<number>(
    'return document.querySelector(".composer").offsetHeight',
  );
  expect(room, 'the results have the rest').toBeLessThan(120);
});
