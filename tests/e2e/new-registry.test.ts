// The creation of a registry by mouse and keyboard at the display: from a starter, from a prompt that
// is pasted and whose sections are adjusted, from a character card, from a registry of another
// program, and from nothing by an author who knows no entry yet.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck, root } from './programs';

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(async () => {
  await studio.page.showRaw();
  studio.pointer.focus();
});

const PROMPT = [
  'You are the night guide of a small maritime museum.',
  'Visitors arrive tired and leave slowly.',
  '',
  '## Rules',
  '- Answer in two sentences.',
  '- Never guess a date.',
  '',
  '<tone>',
  'Dry, kind and unhurried.',
  '</tone>',
  '',
  '## Ending',
  'Visitor: {question}',
].join('\n');

/** A registry of promptlibretto 0.8: its own way of selecting, of variables and of modes. */
const older = (place: string) =>
  JSON.stringify({
    version: 2,
    title: `Older ${place}`,
    assembly_order: ['base_context', 'rules'],
    base_context: {
      items: [{ id: 'shop', text: `Behind the counter at {place}.`, template_vars: ['place'] }],
    },
    rules: { items: [{ id: 'r', text: `Say it once at ${place}.`, condition: 'never' }] },
    default_state: { base_context: { selected: 'shop' } },
  });

/** A picture that holds a character card. */
const cardOf = (card: object): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const words = `chara\0${Buffer.from(JSON.stringify(card)).toString('base64')}`;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(words, 'latin1')),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const dialog = 'dialog[open]';
const border = (name: string) => `[role=separator][aria-label="Border above ${name}"]`;
const line = (number: number) => `[data-line="${String(number)}"]`;
const borders = () => studio.page.all(`${dialog} [role=separator]`, 'aria-valuenow');
const closed = () =>
  eventually(async () => {
    expect(await studio.page.count(dialog)).toBe(0);
  });

/** The window shows the registry of that file, as the command line prints it. */
const shows = (file: string, words: string): Promise<void> =>
  eventually(async () => {
    const prompt = await studio.page.prompt();
    expect(prompt).toContain(words);
    const seed = await studio.page.read('Seed');
    expect(prompt).toBe(
      promptdeck(['hydrate', join(home.registries, file), '--seed', seed], home.env),
    );
  });

/** Opens the dialog from the switcher. */
const begin = async () => {
  await studio.pointer.click('button[aria-label^="Registry: "]');
  await studio.pointer.click('button[title="New registry…"]');
  await studio.page.sees(`${dialog} [role=radio]`);
};

test('a starter is created under a name, and its cards explain themselves until dismissed', async () => {
  await begin();
  await studio.pointer.click(`${dialog} [role=radio][aria-label^="Persona"]`);
  await studio.page.sees(`${dialog} [aria-label="What it prints"]`);
  await studio.page.type('File name', 'harbour voice');
  await eventually(async () => {
    expect(await studio.page.content('dialog .foot')).toContain('becomes harbour_voice.json');
  });
  studio.pointer.key('Return');
  await closed();
  await shows('harbour_voice.json', 'reading room');
  const source = readFileSync(join(home.registries, 'harbour_voice.json'), 'utf8');
  expect(source).toBe(readFileSync(join(root, 'src-tauri/service/starters/persona.json'), 'utf8'));
  expect(await studio.page.content('[data-card="personas"]')).toContain('Who speaks:');
  await studio.pointer.click('button[aria-label="Dismiss the note on personas"]');
  await eventually(async () => {
    expect(await studio.page.content('[data-card="personas"]')).not.toContain('Who speaks:');
  });
  expect(await studio.page.content('[data-card="sentiment"]')).toContain('The mood:');
});

test('a press of the wheel outside of fields pastes nothing', async () => {
  const { page, pointer } = studio;
  studio.copy(PROMPT);
  await pointer.hover('[data-card="sentiment"] header');
  pointer.press(2);
  pointer.release(2);
  // What a key opens comes after what the press would have opened.
  pointer.key('ctrl+k');
  await page.sees('[role=combobox][aria-label="Commands"]');
  expect(await page.count('[data-source]')).toBe(0);
  pointer.key('Escape');
});

test('a pasted prompt is split, adjusted by hand, and prints the same bytes', async () => {
  await begin();
  studio.copy(PROMPT);
  await studio.pointer.click(`${dialog} textarea`);
  studio.pointer.key('ctrl+v');
  await studio.page.sees(border('rules'));
  await eventually(async () => {
    expect(await borders()).toEqual(['4', '8', '12']);
  });
  // The ring around what becomes of it is within its edge.
  const result = `${dialog} [role=region]`;
  await studio.window.executeScript(
    "document.querySelector(arguments[0]).setAttribute('data-key-focus', '')",
    result,
  );
  const ring = await studio.window.executeScript<[number, number]>(
    `const { outlineOffset, outlineWidth } = getComputedStyle(document.querySelector(arguments[0]));
     return [outlineOffset, outlineWidth].map(parseFloat);`,
    result,
  );
  await studio.picture('new-registry-ring');
  expect(ring[0] + ring[1]).toBeLessThanOrEqual(0);
  await studio.window.executeScript(
    "document.querySelector(arguments[0]).removeAttribute('data-key-focus')",
    result,
  );
  // The border is dragged up by a line and says so on its way.
  await studio.pointer.drag(border('tone'), line(7), { x: 0.5, y: 0.2 }, async () => {
    await eventually(async () => {
      expect(await studio.page.content(border('tone'))).toContain('line 7');
    });
    // Its handle goes along: its middle is on the upper edge of that line.
    const distance = await studio.window.executeScript<number>(
      `const box = (selector) => document.querySelector(selector).getBoundingClientRect();
       const handle = box(arguments[0]);
       return handle.top + handle.height / 2 - box(arguments[1]).top;`,
      `${border('tone')} .handle`,
      line(7),
    );
    expect(Math.abs(distance)).toBeLessThan(8);
  });
  await eventually(async () => {
    expect(await borders()).toEqual(['4', '7', '12']);
  });
  await studio.pointer.click(`${dialog} button[aria-label="Rename tone"]`);
  studio.pointer.key('ctrl+a');
  studio.pointer.type('voice');
  studio.pointer.key('Return');
  await studio.page.sees(border('voice'));
  // Between two lines: the upper edge of the lower one.
  await studio.pointer.hover(line(2), { x: 0.3, y: 0.2 });
  studio.pointer.press();
  studio.pointer.release();
  studio.pointer.press();
  studio.pointer.release();
  await eventually(async () => {
    expect(await borders()).toEqual(['2', '4', '7', '12']);
  });
  // Moved by a key, then merged by another.
  await studio.pointer.click(border('ending'));
  studio.pointer.key('Up');
  await eventually(async () => {
    expect(await borders()).toEqual(['2', '4', '7', '11']);
  });
  studio.pointer.key('Delete');
  await eventually(async () => {
    expect(await borders()).toEqual(['2', '4', '7']);
  });
  expect(await studio.page.content(dialog)).toContain(
    `Prints the same ${String(PROMPT.length)} characters, byte for byte.`,
  );
  await studio.page.type('File name', 'night_guide');
  await studio.pointer.click(`${dialog} button[type=submit]:last-child`);
  await closed();
  await shows('night_guide.json', 'night guide');
  expect(await studio.page.prompt()).toBe(PROMPT);
  expect(await studio.page.count('[data-card="voice"]')).toBe(1);
});

test('lists at the end of sections with headings become entries, unless Lists is off', async () => {
  await begin();
  const prompt =
    '# Guide\nBe kind.\n\n## Rules\nKeep to them:\n- Two sentences.\n- No dates.\n\n## Style\n\n- Dry.\n- Short.';
  studio.copy(prompt);
  await studio.pointer.click(`${dialog} textarea`);
  studio.pointer.key('ctrl+v');
  const becomes = (words: string, isThere: boolean) =>
    eventually(async () => {
      const content = await studio.page.content(`${dialog} .list`);
      expect(content.includes(words)).toBe(isThere);
    });
  await becomes('rules.items', true);
  await becomes('style.items', true);
  expect(await studio.page.content(dialog)).toContain('byte for byte.');
  await studio.picture('lists-of-sections');
  await studio.page.pressInDialog('Lists');
  await becomes('rules.items', false);
  await studio.page.pressInDialog('Lists');
  await becomes('rules.items', true);
  await studio.page.type('File name', 'lists');
  await studio.page.pressInDialog('Create deck');
  await closed();
  await shows('lists.json', 'Two sentences.');
  expect(await studio.page.prompt()).toBe(prompt);
});

test('a text that would lose bytes is created once it is trimmed', async () => {
  await begin();
  studio.copy('One.\n\n\n\nTwo.');
  await studio.pointer.click(`${dialog} textarea`);
  studio.pointer.key('ctrl+v');
  await studio.page.sees(`${dialog} [role=alert]`);
  const create = `${dialog} button[type=submit]:last-child`;
  expect(await studio.page.count(`${create}:disabled`)).toBe(1);
  const focused = () =>
    studio.window.executeScript<string>('return document.activeElement.textContent.trim()');
  await eventually(async () => expect(await focused()).toBe('Trim the text'));
  studio.pointer.key('Return');
  await studio.page.sees(`${create}:not(:disabled)`);
  await eventually(async () => expect(await focused()).toMatch(/^Create deck/));
  studio.pointer.key('Escape');
  await closed();
});

test('a character card in a picture is chosen as a file', async () => {
  const path = join(home.folder, 'ferry keeper.png');
  const data = {
    name: 'Ada',
    description: '{{char}} keeps the ferry. {{user}} wants to cross.',
    first_mes: 'The bell is on your left.',
  };
  writeFileSync(path, cardOf({ spec: 'chara_card_v2', spec_version: '2.0', data }));
  studio.pointer.key('ctrl+i');
  await studio.page.sees(dialog);
  await studio.page.give('Choose a file…', path);
  await eventually(async () => {
    expect(await studio.page.content(dialog)).toContain('Format: character card.');
  });
  expect(await studio.page.read('File name')).toBe('ada.json');
  await studio.page.pressInDialog('Create deck');
  await closed();
  await shows('ada.json', 'keeps the ferry');
});

test('a registry of another program shows what is converted, dropped or pasted', async () => {
  // A drag from another program can't be driven; the page gets the event that the engine would send.
  await studio.window.executeScript(
    `const files = new DataTransfer();
    files.items.add(new File([arguments[0]], 'dropped.json', { type: 'application/json' }));
    for (const kind of ['dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    }`,
    older('Dock Road'),
  );
  await eventually(async () => {
    expect(await studio.page.content(dialog)).toContain('schema 2');
  });
  await studio.page.pressInDialog('Create deck');
  await closed();
  await shows('dropped.json', 'Dock Road');
  studio.copy(older('Quay Street').slice(0, -1));
  await studio.pointer.click('button[aria-label^="Collapse base_context"]');
  studio.pointer.key('ctrl+v');
  await eventually(async () => {
    expect(await studio.page.content(`${dialog} [role=alert]`)).toMatch(/line 1, column \d+/i);
  });
  studio.pointer.key('Escape');
  await closed();
});

test('an author who knows no entry begins with a blank deck and adds a section that prints', async () => {
  await begin();
  // The import that was left by Esc is still there.
  await studio.pointer.click(`${dialog} [role=radio][aria-label^="Blank"]`);
  studio.pointer.key('Return');
  await closed();
  await eventually(async () => {
    expect(await studio.page.focused()).toBe('base_context.first.text');
  });
  studio.pointer.type('You keep a lighthouse.');
  await eventually(async () => {
    expect(await studio.page.prompt()).toBe('You keep a lighthouse.');
  });
  await studio.page.pressWords('Section');
  await eventually(async () => {
    expect(await studio.page.focused()).toBe('Section name');
  });
  expect(await studio.page.content('form.add')).toContain('A section is one part of the prompt');
  await studio.page.type('Section name', 'rules');
  await studio.page.sees('form.add button[type=submit]:not(:disabled)');
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await studio.page.focused()).toBe('rules.first.text');
  });
  studio.pointer.type('Be brief.');
  await eventually(async () => {
    expect(await studio.page.prompt()).toBe('You keep a lighthouse.\n\nBe brief.');
  });
  studio.pointer.key('ctrl+s');
  await shows('untitled.json', 'Be brief.');
  // The help shows this very deck.
  studio.pointer.key('F1');
  await studio.page.pressInDialog('How a deck becomes a prompt');
  await eventually(async () => {
    expect(await studio.page.content(dialog)).toContain('2 of 2 entries printed');
  });
  studio.pointer.key('Escape');
  await closed();
});

test('a template finds its wildcards in a folder that is chosen', async () => {
  const cards = join(home.folder, 'cards');
  mkdirSync(cards);
  writeFileSync(join(cards, 'season.txt'), 'summer\n');
  await begin();
  studio.copy('It is __season__ at sea.');
  // The dialog still has what was pasted and not used.
  studio.pointer.key('ctrl+a', 'Delete', 'ctrl+v');
  await studio.page.pressInDialog('Read as a template');
  await studio.page.pressInDialog('Choose a folder…');
  await studio.choose('Choose the folder of wildcards', cards);
  await studio.page.sees(`${dialog} .wildcards [title="${cards}"]`);
  await studio.picture('start-wildcards');
  await studio.page.type('File name', 'seasons');
  await studio.page.pressInDialog('Create deck');
  await closed();
  await shows('seasons.json', 'It is summer at sea.');
});
