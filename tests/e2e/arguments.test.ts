// The arguments that a Jinja deck reads, given their values by hand: from the problem, and from the place in the
// prompt that has none.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { promptText } from './printed-prompt';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const MAIL = {
  title: 'Mail',
  template_engine: 'jinja',
  assembly_order: ['task'],
  task: {
    required: true,
    items: [
      {
        id: 'mail',
        text: 'Write to {{ guest }}.{% for rule in rules %} {{ rule }}{% endfor %} {{ body | truncate(9) }}',
      },
    ],
  },
};

opens(['Mail', 'mail.json'], ({ registries }) => {
  writeFileSync(join(registries, 'mail.json'), JSON.stringify(MAIL));
});

beforeAll(() => studio.pointer.focus());

const field = (name: string) => `[aria-label="Argument ${name}"]`;
const hasFocus = (name: string) => studio.page.sees(`${field(name)}:focus`);

const prints = (words: string) =>
  eventually(async () => {
    expect((await promptText()).trim()).toBe(words);
  });

/** The link of a problem that leads to an argument. */
async function pressFix(name: string): Promise<void> {
  const at = await studio.window.executeScript<{ x: number; y: number }>(
    `const link = [...document.querySelectorAll('.problems .link')].find(
       (each) => each.textContent === arguments[0]);
     link.scrollIntoView({ block: 'nearest' });
     const { left, top, width, height } = link.getBoundingClientRect();
     return { x: left + width / 2, y: top + height / 2 };`,
    `Set ${name}`,
  );
  studio.pointer.move(at);
  studio.pointer.press();
  studio.pointer.release();
}

/** Whether the panel of the call says that a value is typed next. */
const asks = async () =>
  (await studio.page.lines('[data-conversation]')).some((line) =>
    line.includes('then type the value of body'),
  );

test('without a call document its name is asked for first, then the value', async () => {
  const { page, pointer } = studio;
  await eventually(() => pressFix('body'));
  await page.sees('[data-conversation] input:focus');
  expect(await asks()).toBe(true);
  // Once no name is given, nothing asks for the value.
  pointer.key('Escape');
  await eventually(async () => expect(await asks()).toBe(false));
  await pressFix('body');
  await page.sees('[data-conversation] input:focus');
  pointer.key('Return');
  await hasFocus('body');
  pointer.type('one two three four');
  await prints('Write to . one...');
});

test('an expression without a value leads to its argument, a list is written as JSON', async () => {
  const { pointer } = studio;
  await pointer.click('.prompt [data-name="rules"]');
  await hasFocus('rules');
  await pointer.click('[aria-label^="Write rules as JSON"]');
  await hasFocus('rules');
  pointer.key('ctrl+a');
  pointer.type('["Be kind.", "Be brief."]');
  await prints('Write to . Be kind. Be brief. one...');
});

test('a value is unset and its field stays, and what was typed is saved with the call', async () => {
  const { page, pointer } = studio;
  await pointer.click('[aria-label="Unset body"]');
  await hasFocus('body');
  await prints('Write to . Be kind. Be brief.');
  pointer.type('four');
  await prints('Write to . Be kind. Be brief. four');
  pointer.key('ctrl+s');
  await eventually(() => {
    const saved = JSON.parse(readFileSync(join(home.registries, 'calls/mail.json'), 'utf8')) as {
      args: object;
    };
    expect(saved.args).toEqual({ body: 'four', rules: ['Be kind.', 'Be brief.'] });
  });
  await page.sees(field('guest'));
});
