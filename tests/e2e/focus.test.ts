// Where the focus is after something was done, and what comes into sight with it: by real keys and
// presses, on the sample whose deck is longer than the window.
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Night Stream', 'night_stream.json']);

beforeAll(() => studio.pointer.focus());

const focused = () =>
  studio.window.executeScript<string>(
    'return document.activeElement === document.body ? "the page" : document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()',
  );
const at = (name: string | RegExp) =>
  eventually(async () => {
    expect(await focused()).toMatch(name);
  });

/** Whether an element is wholly inside the part of the page that scrolls it, and on the window. */
const inSight = (selector: string) =>
  studio.window.executeScript<boolean>(
    `const element = document.querySelector(arguments[0]);
     const box = element?.getBoundingClientRect();
     const frame = element?.closest('.scroll')?.getBoundingClientRect();
     if (!box || !frame) return false;
     const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
     return box.top >= frame.top && box.bottom <= frame.bottom && element.contains(top);`,
    selector,
  );

test('what is found comes into sight, marked, and the field keeps the keys', async () => {
  studio.pointer.key('ctrl+f');
  await at('Find in deck');
  studio.pointer.type('breaker');
  studio.pointer.key('Return');
  await studio.pointer.keysArrived();
  const found = 'textarea[data-found]';
  await eventually(async () => {
    expect(await inSight(found)).toBe(true);
  });
  expect(
    await studio.window.executeScript('return document.querySelector(arguments[0]).value', found),
  ).toContain('breaker');
  expect(await focused()).toBe('Find in deck');
  expect(
    await studio.window.executeScript(
      'return getComputedStyle(document.querySelector(arguments[0])).outlineStyle',
      found,
    ),
  ).toBe('solid');
  await studio.picture('find');
  // It stays there once everything is drawn.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await inSight(found)).toBe(true);
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count('[data-found]')).toBe(0);
  });
});

test('Enter takes the completion of the typed text, and the token scrolls into view', async () => {
  const tokens = () => studio.page.lines('[aria-label="Assembly order"] .name');
  const before = await tokens();
  await studio.pointer.click('[aria-label="Add entry"]');
  studio.pointer.type('sentiment.sc');
  await studio.pointer.keysArrived();
  await studio.page.sees('[role=option][aria-selected="true"]');
  await studio.picture('completion');
  expect(await studio.page.lines('[role=listbox] [role=option] .mono')).toEqual([
    'sentiment.scale',
  ]);
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await tokens()).toEqual([...before, 'sentiment.scale']);
  });
  expect(await focused()).toBe('Add entry');
  for (let more = 0; more < 24; more += 1) {
    studio.pointer.type('personas');
    studio.pointer.key('Return');
  }
  await eventually(async () => {
    expect(await tokens()).toHaveLength(before.length + 25);
  });
  await eventually(async () => {
    expect(await inSight('[aria-label="Assembly order"] > li:last-child .name')).toBe(true);
  });
  await studio.picture('token-added');
});

test('fixing a problem leaves the focus beside it', async () => {
  await studio.page.command('@base_context');
  await studio.page.menu('base_context actions', 'Edit items');
  const [edit = ''] = await studio.page.all(
    '[data-card="base_context"] button[aria-label^="Edit "][data-place]',
    'aria-label',
  );
  await studio.page.press(edit);
  const field = '[data-card="base_context"] textarea';
  await studio.pointer.click(field);
  studio.pointer.key('End');
  studio.pointer.type(' {storm}');
  const declare = '[data-card="base_context"] .fixes button';
  await studio.page.sees(declare);
  await studio.pointer.click(declare);
  await eventually(async () => {
    expect(await studio.page.count('[aria-label="base_context variable storm"]')).toBe(1);
    expect(await studio.page.count(declare)).toBe(0);
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await focused()).not.toBe('the page');

  await studio.pointer.click(field);
  studio.pointer.key('End');
  studio.pointer.type(' {moon}');
  const listed = '[aria-label="Problems"] .fixes button';
  await studio.page.sees(listed);
  const count = await studio.page.count(listed);
  await studio.pointer.click(listed);
  await eventually(async () => {
    expect(await studio.page.count(listed)).toBeLessThan(count);
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await focused()).not.toBe('the page');
});

test('the text of a fragment has its ring, as rows of lists have', async () => {
  const text = '[aria-label="Fragment 1 text"]';
  await studio.pointer.click(text);
  const ring = (selector: string) =>
    studio.window.executeScript<string>(
      'return getComputedStyle(document.querySelector(arguments[0]).closest("[data-order]")).boxShadow',
      selector,
    );
  await eventually(async () => {
    expect(await ring(text)).toMatch(/^rgb\(\d+, \d+, \d+\)/);
  });
  await studio.picture('fragment-focused');
});

test('the hint shown while a file is dragged over the window has an opaque background', async () => {
  const drag = (kind: string) =>
    studio.window.executeScript(
      `const files = new DataTransfer();
       files.items.add(new File(['{}'], 'dropped.json'));
       document.body.dispatchEvent(
         new DragEvent(arguments[0], { dataTransfer: files, bubbles: true, cancelable: true }),
       );`,
      kind,
    );
  await drag('dragover');
  await studio.page.sees('.drop');
  const ground = await studio.window.executeScript<string>(
    `const walker = document.createTreeWalker(document.querySelector('.drop'), NodeFilter.SHOW_TEXT);
     let text = walker.nextNode();
     while (text && text.data.trim() === '') text = walker.nextNode();
     return getComputedStyle(text.parentElement).backgroundColor;`,
  );
  expect(ground, 'it is opaque').toMatch(/^rgb\(/);
  await studio.picture('drop');
  await drag('dragleave');
});

test('a problem of a missing value leads to where the value is typed', async () => {
  const problem = '[aria-label="Problems"] button[title*="\\"game\\""]';
  await studio.pointer.click(problem);
  await at('base_context variable game');
  await studio.pointer.park();
  studio.pointer.type('Chess');
  await eventually(async () => {
    expect(await studio.page.count(problem)).toBe(0);
  });
  expect(await focused()).toBe('base_context variable game');
  // Its tools are reached from its end, though the pointer is not over them.
  studio.pointer.key('Right');
  await at('Set as the default of game');
});

test('a template that is begun has the focus', async () => {
  await studio.page.showTab('Chat');
  await studio.page.pressIn('Chat panel', 'Template');
  await eventually(async () => {
    const words = await studio.page.lines('[role=tabpanel] button');
    expect(words.join()).toMatch(/Write/);
  });
  await studio.pointer.click('[role=tabpanel] .row button');
  await eventually(async () => {
    expect(
      await studio.window.executeScript(
        'return document.activeElement.shadowRoot?.activeElement?.getAttribute("aria-label")',
      ),
    ).toBe('Chat template');
  });
  const ring = await studio.window.executeScript(
    `const editor = document.activeElement.shadowRoot.querySelector('.cm-editor');
     const { borderLeftWidth, zIndex } = getComputedStyle(editor, '::after');
     const gutters = getComputedStyle(editor.querySelector('.cm-gutters'));
     return [borderLeftWidth, Number(zIndex) > Number(gutters.zIndex)];`,
  );
  expect(ring, 'the line numbers are within the ring').toEqual(['2px', true]);
  await studio.picture('template-focused');
  await studio.page.showTab('Prompt');
});

test('a paste is named by its title, and its report leaves the focus in the deck', async () => {
  const pasted = JSON.stringify({
    version: 2,
    title: 'Support Bot',
    assembly_order: ['base_context'],
    base_context: { items: [{ id: 'a', text: 'Hello.' }] },
    default_state: { base_context: { selected: 'a' } },
  });
  studio.copy(pasted);
  await studio.pointer.click('button[aria-label^="Collapse base_context"]');
  studio.pointer.key('ctrl+v');
  await studio.page.sees('dialog[open]');
  await eventually(async () => {
    expect(await studio.page.read('File name')).toBe('support_bot.json');
  });
  await studio.pointer.click('input[aria-label="File name"]');
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await studio.page.count('dialog[open]')).toBe(0);
  });
  await eventually(async () => {
    expect(await focused()).not.toBe('the page');
  });
});

test('the palette lists every action, finds help, and Tab stays in it', async () => {
  studio.pointer.key('ctrl+k');
  await at('Commands');
  expect(
    await studio.page.count('[role=group][aria-label="Actions"] [role=option]'),
  ).toBeGreaterThan(30);
  studio.pointer.key('Tab', 'Tab');
  await at('Commands');
  await eventually(async () => {
    expect(await studio.page.all('dialog [role=option]', 'aria-selected')).toEqual(
      expect.arrayContaining(['true']),
    );
    expect((await studio.page.all('dialog [role=option]', 'aria-selected'))[2]).toBe('true');
  });
  studio.pointer.type('help');
  await studio.page.sees('dialog [role=option][aria-selected="true"]');
  await studio.picture('palette-help');
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await studio.page.content('dialog[open] h2')).toMatch(/keys/i);
  });
  studio.pointer.key('Escape');
});
