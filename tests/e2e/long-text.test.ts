// A text of 2,000 lines: typed into on its card and in the prompt, at its start, in the middle and at
// its end, where the pointer puts the caret, copied, taken back, and in the time a short one takes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { leave, OPEN, prints, PROMPT } from './printed-prompt';
import { quantile, readStopwatch, startStopwatch } from './speed/stopwatch';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const LINES = 2_000;
const TEXT = `${Array.from({ length: LINES }, (_, n) =>
  n % 10 === 9 ? '' : `Rule ${String(n)}: answer in the words of the guest.`,
).join('\n')}\nThe end.`;

const DECK = {
  title: 'Long text',
  assembly_order: ['note.text', 'rules.text'],
  note: { items: [{ id: 'short', text: 'Greet the guest.' }] },
  rules: { items: [{ id: 'long', text: TEXT }] },
};

opens(['Long text', 'long_text.json'], ({ registries }) => {
  writeFileSync(join(registries, 'long_text.json'), JSON.stringify(DECK));
});

const FIELD = '[aria-label="rules.long.text"]';
const AREA = '.area:has([aria-label="rules.long.text"])';
const NOTE = 'textarea[aria-label="note.short.text"]';
/** The stretch that prints the long text, and the lines it is drawn in. */
const STRETCH = `${PROMPT} [data-spot="1/0"]`;
const CHUNK = (nth: number): string => `${STRETCH} .lines:nth-of-type(${String(nth)})`;

beforeAll(async () => {
  studio.pointer.focus();
  await studio.page.menu('note actions', 'Edit items');
  await studio.page.press('Edit short');
  await studio.page.menu('rules actions', 'Edit items');
  await studio.page.press('Edit long');
  await studio.page.sees(FIELD);
});

beforeEach(() => studio.pointer.park());

const ask = <T>(script: string, ...values: unknown[]): Promise<T> =>
  studio.window.executeScript<T>(script, ...values);

const valueOf = (selector: string): Promise<string> =>
  ask('return document.querySelector(arguments[0]).textContent', selector);

const printed = (): Promise<string> =>
  ask('return document.querySelector(arguments[0]).textContent', STRETCH);

/** Where a text differs from the one that is wanted, in a few letters: all of it would be unreadable. */
function difference(text: string, wanted: string): string {
  if (text === wanted) return '';
  let at = 0;
  while (text[at] === wanted[at]) at += 1;
  const around = (whole: string) => JSON.stringify(whole.slice(Math.max(at - 20, 0), at + 20));
  return `${around(text)} instead of ${around(wanted)} at ${String(at)}`;
}

/** Waits until the field and the prompt both hold a text. */
const holds = (text: string) =>
  eventually(async () => {
    expect(difference(await valueOf(FIELD), text), 'the field').toBe('');
    expect(difference(await printed(), text), 'the prompt').toBe('');
  });

/** Waits until a text that begins so is open in the prompt. */
const opened = (start: string) =>
  eventually(async () => {
    expect((await studio.page.lines(OPEN)).map((text) => text.slice(0, start.length))).toEqual([
      start,
    ]);
  });

/** Takes all back. */
const undone = async () => {
  for (let step = 0; step < 12 && (await valueOf(FIELD)) !== TEXT; step += 1) {
    studio.pointer.key('ctrl+z');
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await holds(TEXT);
};

const replaced = (line: string, by: string): string => TEXT.replace(line, by);

test('typed on the card at the start, in the middle and at the end, and taken back', async () => {
  const { pointer } = studio;
  await ask('document.querySelector(arguments[0]).focus()', FIELD);
  pointer.key('ctrl+Home');
  pointer.type('First. ');
  await holds(`First. ${TEXT}`);
  pointer.key('ctrl+End');
  pointer.type(' Last.');
  await holds(`First. ${TEXT} Last.`);
  await undone();
  await ask(
    `const area = document.querySelector(arguments[0]);
     area.scrollTop = area.scrollHeight / 2;`,
    AREA,
  );
  await pointer.click(AREA);
  pointer.key('Home');
  pointer.type('Middle ');
  await eventually(async () => {
    expect(await valueOf(FIELD)).toContain('\nMiddle ');
  });
  const typed = await valueOf(FIELD);
  const at = typed.indexOf('Middle ') / typed.length;
  expect(at).toBeGreaterThan(0.4);
  expect(at).toBeLessThan(0.6);
  expect(typed.replace('Middle ', '') === TEXT).toBe(true);
  await holds(typed);
  await undone();
});

test('on the card, an accent of a dead key and cut words land once, and the caret stays in sight', async () => {
  const { pointer } = studio;
  await ask('document.querySelector(arguments[0]).focus()', FIELD);
  pointer.key('ctrl+Home');
  pointer.key('dead_acute', 'e');
  pointer.type('s ');
  await holds(`és ${TEXT}`);
  await undone();
  // Where the caret is out of sight after that, the next key shows it.
  pointer.key('ctrl+End', 'Return');
  pointer.type('More.');
  await holds(`${TEXT}\nMore.`);
  const distance = await ask<number>(
    `const area = document.querySelector(arguments[0]);
     return area.scrollHeight - area.clientHeight - area.scrollTop;`,
    AREA,
  );
  expect(distance).toBeLessThan(20);
  pointer.key('shift+Home', 'ctrl+x', 'BackSpace');
  await holds(TEXT);
  expect(studio.clipboard()).toBe('More.');
  pointer.key('ctrl+Home', 'ctrl+v');
  await holds(`More.${TEXT}`);
  await undone();
});

test('the caret of the prompt is shown in the field on the card, where it stands', async () => {
  const { pointer } = studio;
  await pointer.click(CHUNK(3), { x: 0.05, y: 0.01 });
  await studio.page.sees(OPEN);
  pointer.key('Home');
  const nth = await ask<string>(
    'return document.querySelector(arguments[0]).textContent',
    CHUNK(3),
  );
  const before = TEXT.slice(0, TEXT.indexOf(nth)).split('\n').length - 1;
  await eventually(async () => {
    const line = await ask<number>(
      `const area = document.querySelector(arguments[0]);
       const caret = area.querySelector('.caret').getBoundingClientRect();
       return Math.floor((caret.top - area.getBoundingClientRect().top + area.scrollTop - 7) / 20);`,
      AREA,
    );
    expect(line).toBe(before);
  });
  await leave();
});

test('a press in the prompt puts the caret where it hit, at every line of the text', async () => {
  const { pointer } = studio;
  const chunks = await ask<number>(
    'return document.querySelectorAll(arguments[0]).length',
    `${STRETCH} .lines`,
  );
  expect(chunks).toBeGreaterThan(40);
  for (const nth of [2, Math.round(chunks / 2), chunks]) {
    const text = await ask<string>(
      'return document.querySelector(arguments[0]).textContent',
      CHUNK(nth),
    );
    await pointer.click(CHUNK(nth), { x: 0.05, y: 0.01 });
    await studio.page.sees(OPEN);
    pointer.key('Home');
    pointer.type('So ');
    await holds(replaced(text, `So ${text}`));
    // Over the line end before it, and back.
    pointer.key('Home', 'BackSpace');
    const before = TEXT.indexOf(text);
    await holds(`${TEXT.slice(0, before - 1)}So ${TEXT.slice(before)}`);
    pointer.key('Return');
    await holds(replaced(text, `So ${text}`));
    await undone();
    await leave();
  }
});

test('arrows cross from line to line where chunks meet', async () => {
  const { pointer } = studio;
  const text = await ask<string>(
    'return document.querySelector(arguments[0]).textContent',
    CHUNK(20),
  );
  const at = TEXT.indexOf(text);
  await pointer.click(CHUNK(20), { x: 0.05, y: 0.01 });
  await studio.page.sees(OPEN);
  pointer.key('Home', 'Left');
  pointer.type('<');
  await holds(`${TEXT.slice(0, at - 1)}<${TEXT.slice(at - 1)}`);
  pointer.key('Right');
  pointer.type('>');
  await holds(`${TEXT.slice(0, at - 1)}<\n>${TEXT.slice(at)}`);
  // An edit that is on its way puts the caret where it leaves it: each is waited for.
  pointer.key('BackSpace');
  await holds(`${TEXT.slice(0, at - 1)}<${TEXT.slice(at - 1)}`);
  pointer.key('Up', 'End', 'BackSpace');
  await holds(TEXT);
  pointer.key('Down', 'Home');
  pointer.type('v');
  await holds(`${TEXT.slice(0, at)}v${TEXT.slice(at)}`);
  pointer.key('BackSpace');
  await holds(TEXT);
  pointer.key('Left', 'Delete');
  await holds(TEXT.slice(0, at - 1) + TEXT.slice(at));
  pointer.key('Return');
  await holds(TEXT);
  // The start of the prompt is in the text before.
  pointer.key('ctrl+Home');
  await opened('Greet the guest.');
  pointer.key('Down');
  await opened('Rule 0:');
  pointer.key('Home');
  pointer.type('First. ');
  await holds(`First. ${TEXT}`);
  pointer.key('ctrl+End');
  pointer.type(' Last.');
  await holds(`First. ${TEXT} Last.`);
  await undone();
  await leave();
});

test('lines that end with a chunk are cut and pasted with their line end', async () => {
  const { pointer } = studio;
  await pointer.click(CHUNK(20), { x: 0.05, y: 0.01 });
  await studio.page.sees(OPEN);
  const text = await ask<string>(
    'return document.querySelector(arguments[0]).textContent',
    CHUNK(20),
  );
  const at = TEXT.indexOf(text);
  const start = TEXT.lastIndexOf('\n', at - 2) + 1;
  pointer.key('Home', 'shift+Up', 'ctrl+x');
  await holds(TEXT.slice(0, start) + TEXT.slice(at));
  expect(studio.clipboard()).toBe(TEXT.slice(start, at));
  pointer.key('ctrl+v');
  await holds(TEXT);
  await undone();
  await leave();
});

test('all of it is selected and copied as it is, on the card and in the prompt', async () => {
  const { pointer } = studio;
  const copied = async () => {
    pointer.key('ctrl+a', 'ctrl+c');
    await eventually(() => {
      expect(difference(studio.clipboard(), TEXT), 'what was copied').toBe('');
    });
    studio.copy('another');
  };
  await ask('document.querySelector(arguments[0]).focus()', FIELD);
  await copied();
  await pointer.click(CHUNK(5), { x: 0.05, y: 0.5 });
  await studio.page.sees(OPEN);
  await copied();
  pointer.key('End');
  await leave();
  // Where it is not open.
  await ask('getSelection().selectAllChildren(document.querySelector(arguments[0]))', STRETCH);
  pointer.key('ctrl+c');
  await eventually(() => {
    expect(difference(studio.clipboard(), TEXT), 'what was copied').toBe('');
  });
  await ask('getSelection().empty()');
});

test('a long turn that is not sent is typed into, and undone in its field', async () => {
  const { pointer, page } = studio;
  const composer = '[role=textbox][aria-label="Next turn"]';
  await page.showTab('Run');
  studio.copy(TEXT);
  await pointer.click(`textarea[aria-label="Next turn"]`);
  pointer.key('ctrl+v');
  await eventually(async () => {
    expect(await page.read('Next turn')).toBe(TEXT);
  });
  // Drawn in chunks once the focus is elsewhere.
  await ask('document.activeElement.blur()');
  await page.sees(composer);
  await ask('document.querySelector(arguments[0]).focus()', composer);
  pointer.key('ctrl+Home');
  pointer.type('Please read');
  const shows = (text: string) =>
    eventually(async () => {
      expect(difference(await valueOf(composer), text)).toBe('');
    });
  await shows(`Please read${TEXT}`);
  pointer.key('ctrl+z');
  await shows(`Please ${TEXT}`);
  pointer.key('ctrl+z');
  await shows(TEXT);
  pointer.key('ctrl+shift+z');
  await shows(`Please ${TEXT}`);
  expect(difference(await valueOf(FIELD), TEXT), 'the text on the card').toBe('');
  pointer.key('ctrl+a', 'Delete');
  await page.showTab('Prompt');
});

/** How many times longer than a key in a short text one may take: twice what was measured. */
const MOST = { card: 4, prompt: 4 };

/** The median from a key to the frame that shows it in the prompt, in milliseconds. */
async function keyToFrame(): Promise<number> {
  await startStopwatch(studio.window);
  for (let n = 1; n <= 15; n += 1) {
    studio.pointer.type('a');
    await eventually(async () => {
      expect((await readStopwatch(studio.window)).length).toBeGreaterThanOrEqual(n);
    });
  }
  const drawn = (await readStopwatch(studio.window)).slice(3).map((key) => key.drawn);
  return quantile(drawn, 0.5);
}

test('a key in it takes little longer than a key in a short text', async () => {
  const { pointer } = studio;
  const onCard = async (field: string) => {
    await ask('document.querySelector(arguments[0]).focus()', field);
    pointer.key('ctrl+Home');
    return keyToFrame();
  };
  const inPrompt = async (selector: string) => {
    await pointer.click(selector, { x: 0.05, y: 0.01 });
    await studio.page.sees(OPEN);
    const time = await keyToFrame();
    await leave();
    return time;
  };
  const short = { card: await onCard(NOTE), prompt: await inPrompt(`${PROMPT} [data-spot="0/0"]`) };
  const long = { card: await onCard(FIELD), prompt: await inPrompt(CHUNK(20)) };
  console.log('key to frame, ms', { short, long });
  expect(long.card / short.card).toBeLessThan(MOST.card);
  expect(long.prompt / short.prompt).toBeLessThan(MOST.prompt);
  await prints('aaa');
});
