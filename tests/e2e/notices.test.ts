// What the window says unasked, met by X events: why nothing was saved and where that is decided, an
// undo that is still true, a draft that came back, and a connection that can still be added.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { home, opens, reopen, studio } from './window-fixture';
import { eventually } from './wait';

const FILE = 'trivia_host.json';
const BACK = 'Restored your unsaved edits of';
const TEXT = 'textarea[aria-label="base_context.pub_night.text"]';
const CONFLICT = 'section[aria-label="Changed on disk"]';

opens(['Trivia Host', FILE]);

beforeAll(() => studio.pointer.focus());

const path = () => join(home.registries, FILE);
const notices = () => studio.page.lines('.notices .notice');

const expectNotice = (words: string) =>
  eventually(async () => {
    expect((await notices()).join('\n')).toContain(words);
  });

const shows = (words: string) =>
  eventually(async () => {
    expect(await studio.page.content('[aria-label="Evaluated prompt"]')).toContain(words);
  });

/** Whether an element is in the frame it is scrolled in, with nothing over it. */
const inSight = (selector: string) =>
  studio.window.executeScript<boolean>(
    `const element = document.querySelector(arguments[0]);
     const box = element?.getBoundingClientRect();
     const frame = element?.closest('.scroll')?.getBoundingClientRect();
     if (!box || !frame) return false;
     const top = document.elementFromPoint(box.x + box.width / 2, box.y + 12);
     return box.top >= frame.top - 1 && box.top < frame.bottom && element.contains(top);`,
    selector,
  );

/** Waits until unsaved work is in the store: the driver ends the window without asking. */
const drafted = async () => {
  await eventually(async () => {
    expect(await studio.page.content('footer')).toContain('draft saved');
  });
  // That may have been the draft of half a sentence; a second later nothing can be missing.
  await new Promise((resolve) => setTimeout(resolve, 2000));
};

/** Marks the button with these words in the panel that is open, for the pointer; how many there are. */
const mark = (words: string) =>
  studio.window.executeScript<number>(
    `const found = [...document.querySelectorAll('[role=tabpanel] button')].filter(
       (button) => button.textContent.trim() === arguments[0],
     );
     for (const button of found) button.dataset.marked = '';
     return found.length;`,
    words,
  );

test('a connection can be added after the first mock run as before it', async () => {
  await studio.page.showRuns();
  await eventually(async () => {
    expect(await mark('Add a connection…')).toBe(1);
  });
  studio.pointer.key('ctrl+Return');
  await studio.page.sees('[data-run]:enabled');
  expect(await mark('Add a connection…')).toBe(1);
  await studio.picture('run-mock');
  await studio.pointer.click('button[data-marked]');
  await studio.page.sees('dialog[open] input[aria-label="Base URL"]');
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count('dialog[open]')).toBe(0);
  });
  await studio.page.showTab('Prompt');
});

test('the older of two switches can not be undone over the newer one', async () => {
  const { page, pointer } = studio;
  for (const [name, venue] of [
    ['first night', 'the mill'],
    ['second night', 'the quay'],
  ] as const) {
    await pointer.click('[aria-label="base_context variable venue"]');
    pointer.key('ctrl+a');
    pointer.type(venue);
    await shows(venue);
    pointer.key('ctrl+shift+s');
    await eventually(async () => {
      expect(await page.count('.notices .notice')).toBeGreaterThan(0);
    });
    await page.press('Snapshots');
    await page.pressRow('#snapshots [role=option]:not(:has([title$=" night"]))');
    await page.press('Rename');
    await page.type('Snapshot name', name);
    await page.pressWords('Save');
    await page.press('Pin');
    await page.sees('#snapshots button[aria-label="Unpin"]');
    pointer.key('Escape');
  }
  pointer.key('ctrl+1');
  await expectNotice('Switched to “first night”.');
  expect((await notices()).find((each) => each.includes('first night'))).toContain('Undo');
  pointer.key('ctrl+2');
  await expectNotice('Switched to “second night”.');
  const messages = await notices();
  expect(messages.find((each) => each.includes('second night'))).toContain('Undo');
  expect(messages.find((each) => each.includes('first night')) ?? '').not.toContain('Undo');
  await pointer.click('.notices .notice:last-child button:first-of-type');
  await shows('the mill');
});

test('saving over a change on disk reports it and shows the choices', async () => {
  const { page, pointer, window } = studio;
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  await pointer.click(TEXT);
  pointer.key('ctrl+a');
  pointer.type('You run the tower quiz.');
  await drafted();
  const before = readFileSync(path(), 'utf8');
  const changed = before.replace('You are dry', 'You are wry');
  expect(changed).not.toBe(before);
  writeFileSync(path(), changed);
  await page.sees(CONFLICT);
  await window.executeScript(
    `const scroller = document.querySelector('[data-column="deck"] .scroll');
     scroller.scrollTop = scroller.scrollHeight;`,
  );
  await eventually(async () => {
    expect(await inSight(CONFLICT)).toBe(false);
  });
  pointer.key('ctrl+s');
  await expectNotice(`Not saved: ${FILE} changed on disk`);
  await eventually(async () => {
    expect(await inSight(CONFLICT)).toBe(true);
    expect(await page.focused()).toBe('Changed on disk');
  });
  await studio.picture('not-saved');
  expect(readFileSync(path(), 'utf8'), 'nothing was written').toBe(changed);
  // One press is enough where it leaves nothing to choose.
  await page.pressWords('All mine');
  await eventually(async () => {
    expect(await page.count(CONFLICT)).toBe(0);
  });
  await expectNotice(`Kept all of yours; saving writes it over ${FILE}.`);
});

test.each(['Preview', 'Deck'])('in a narrow window a notice covers no column: %s', async (side) => {
  const { page } = studio;
  await studio.resize(800, 700);
  await page.pressIn('Column', side);
  await page.command('>copy prompt');
  await expectNotice('Prompt copied.');
  const found = () =>
    studio.window.executeScript<{ covered: string[]; width: number }>(
      `const notice = document.querySelector('.notices').getBoundingClientRect();
       const covered = ['.problems', '[data-column]'].filter((selector) =>
         [...document.querySelectorAll(selector)].some((each) => {
           const box = each.getBoundingClientRect();
           return box.left < notice.right && box.right > notice.left &&
             box.top < notice.bottom - 1 && box.bottom > notice.top + 1;
         }));
       return { covered, width: notice.width };`,
    );
  await eventually(async () => {
    const { covered, width } = await found();
    expect(covered).toEqual([]);
    expect(width).toBeGreaterThan(150);
  });
  await studio.picture(`notice-narrow-${side}`);
  await studio.resize(1440, 900);
  await page.press('Dismiss');
});

test('unsaved edits are announced once when they are back, and never once they are saved', async () => {
  const { page } = studio;
  await page.type('base_context.pub_night.text', 'You run the pier quiz.');
  await drafted();
  await studio.close();
  await reopen();
  studio.pointer.focus();
  await studio.page.openRegistry('Trivia Host', FILE);
  await expectNotice(BACK);
  await studio.page.press('Dismiss');
  await studio.page.openRegistry('Code Reviewer', 'code_reviewer.json');
  await studio.page.openRegistry('Trivia Host', FILE);
  await shows('You run the pier quiz.');
  expect((await notices()).join('\n')).not.toContain(BACK);

  await eventually(async () => {
    studio.pointer.key('ctrl+s');
    expect(readFileSync(path(), 'utf8')).toContain('You run the pier quiz.');
  });
  await studio.close();
  await reopen();
  await studio.page.openRegistry('Trivia Host', FILE);
  await shows('You run the pier quiz.');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await notices()).join('\n')).not.toContain(BACK);
});
