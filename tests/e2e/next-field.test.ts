// Where the focus is after something was made or read, and the way of a name that is asked for: what is
// typed next goes where one looks.
import { beforeAll, expect, test } from 'vitest';

import { prints } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Noir Roller', 'noir_roller.json']);

beforeAll(() => studio.pointer.focus());

test('a new call document is written at once', async () => {
  const { page, pointer } = studio;
  await page.command('Edit the conversation');
  await page.pressWords('New call document');
  await page.sees('[aria-label="Name of the new call document"]');
  const [below, beside] = await studio.window.executeScript<[number, number]>(
    `const field = document.querySelector('[aria-label="Name of the new call document"]').closest('label');
     const hint = [...document.querySelectorAll('span')].find((each) => each.textContent === 'Enter creates it, Esc cancels');
     const [own, other] = [field.getBoundingClientRect(), hint.getBoundingClientRect()];
     return [other.top - own.bottom, other.left - own.right];`,
  );
  expect(below, 'the hint is on the line of the field').toBeLessThan(0);
  expect(beside).toBeGreaterThanOrEqual(0);
  expect(beside).toBeLessThan(24);
  await studio.picture('new-call-name');
  pointer.key('Return');
  await page.sees('[aria-label="Text of the new message"]');
  await eventually(async () => {
    const label = 'return document.activeElement.getAttribute("aria-label")';
    expect(await studio.window.executeScript(label)).toBe('Text of the new message');
  });
  pointer.type('Begin the night.');
  await eventually(async () => {
    expect(await page.read('Text of the new message')).toBe('Begin the night.');
  });
  await page.press('Back to the deck');
});

test('a document that is pasted is created by the next Enter', async () => {
  const { page, pointer } = studio;
  const messages = [
    { role: 'system', content: 'You are calm.' },
    { role: 'user', content: 'Hello.' },
  ];
  studio.copy(JSON.stringify(messages));
  pointer.key('ctrl+i');
  await page.sees('dialog[open] textarea');
  pointer.key('ctrl+v');
  await page.sees('dialog[open] [role="region"]');
  await eventually(async () => {
    const words = 'return document.activeElement.textContent.trim()';
    expect(await studio.window.executeScript(words)).toBe('Create deck');
  });
  pointer.key('Return');
  await eventually(async () => expect(await page.count('dialog[open]')).toBe(0));
  await prints('You are calm.');
});

test('a prompt that has to be trimmed is created once it is', async () => {
  const { page, pointer } = studio;
  studio.copy('You are calm.\n\n\nSay it once.');
  pointer.key('ctrl+i');
  await page.sees('dialog[open] textarea');
  pointer.key('ctrl+v');
  await eventually(async () =>
    expect(await page.content('dialog[open]')).toMatch(/line \d+: 2 blank lines become one/),
  );
  await studio.picture('trim');
  await page.pressInDialog('Trim the text');
  await eventually(async () => {
    const words = 'return document.activeElement.textContent.trim()';
    expect(await studio.window.executeScript(words)).toBe('Create deck');
  });
  pointer.key('ctrl+Return');
  await eventually(async () => expect(await page.count('dialog[open]')).toBe(0));
});
