// Notices cover no field: while one is in their place the newest is in the status bar, and what it offers
// is within reach of the keyboard.
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

const FIELD = 'textarea[aria-label="prompt_endings.next_question.text"]';
const FOLDED = '.notices.folded';

const expectNotice = (words: string) =>
  eventually(async () => {
    expect((await studio.page.lines('.notices .notice')).join('\n')).toContain(words);
  });

/** Whether a notice lies over an element. */
const covered = (selector: string) =>
  studio.window.executeScript<boolean>(
    `const box = document.querySelector(arguments[0]).getBoundingClientRect();
     return [...document.querySelectorAll('.notices .notice')].some((notice) => {
       const over = notice.getBoundingClientRect();
       return over.width > 0 && over.left < box.right && over.right > box.left &&
         over.top < box.bottom && over.bottom > box.top;
     });`,
    selector,
  );

/** Has three notices said. */
const say = async () => {
  studio.pointer.key('ctrl+s', 'ctrl+e', 'ctrl+shift+s');
  await expectNotice('Took snapshot');
};

/** Scrolls the deck until the field is at its foot, where notices are. */
const toFoot = async () => {
  await studio.window.executeScript(
    "document.querySelector(arguments[0]).scrollIntoView({ block: 'end' })",
    FIELD,
  );
};

const isFolded = (folded: boolean) =>
  eventually(async () => {
    expect(await studio.page.count(FOLDED)).toBe(folded ? 1 : 0);
  });

test('a notice folds into the status bar while a field in its place is edited', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  await page.menu('prompt_endings actions', 'Edit items');
  await page.press('Edit next_question');
  await page.sees(FIELD);
  await studio.resize(1280, 620);
  await toFoot();
  await pointer.click(FIELD);
  pointer.key('End');
  await pointer.park();
  await say();
  await isFolded(true);
  expect(await covered(FIELD)).toBe(false);
  for (const theme of ['dark', 'light']) {
    await page.setTheme(theme);
    await pointer.click(FIELD);
    await pointer.park();
    await studio.picture(`notices-folded-${theme}`);
  }
  pointer.type(' Quietly.');
  await eventually(async () => {
    expect(await page.read('prompt_endings.next_question.text')).toContain(' Quietly.');
  });
  expect(await covered(FIELD)).toBe(false);
});

test('what a folded notice offers is reached by F6, and the focus goes back after it', async () => {
  const { page, pointer } = studio;
  const items = () => page.count('[aria-label="Items of prompt_endings"] > [data-order]');
  const before = await items();
  await pointer.click('[aria-label="Items of prompt_endings"] button[aria-label="Delete scores"]');
  await eventually(async () => {
    expect(await items()).toBe(before - 1);
  });
  await expectNotice('Deleted scores.');
  await page.press('Edit next_question');
  await page.sees(FIELD);
  await toFoot();
  await pointer.click(FIELD, { x: 0.97 });
  await isFolded(true);
  await pointer.park();
  pointer.key('F6', 'F6');
  await eventually(async () => {
    expect(await page.focused()).toBe('Undo');
  });
  await studio.picture('notices-undo');
  pointer.key('Return');
  await eventually(async () => {
    expect(await items()).toBe(before);
    expect((await page.focused()).trim()).toBe('Prompt');
  });
});

test('a notice covers no field that the caret is not in', async () => {
  const { pointer } = studio;
  await toFoot();
  await pointer.click('[data-token="0"]');
  await say();
  await isFolded(true);
  expect(await covered(FIELD)).toBe(false);
});

test('notices are whole again once no field is in their place, the newest in full', async () => {
  const { page, pointer } = studio;
  await page.press('Collapse all');
  await say();
  await isFolded(false);
  const heights = await studio.window.executeScript<number[]>(
    `return [...document.querySelectorAll('.notices .notice')].map((each) => each.offsetHeight)`,
  );
  expect(heights).toHaveLength(3);
  for (const height of heights.slice(0, -1)) expect(height).toBeLessThan(36);
  const isWhole = await studio.window.executeScript<boolean>(
    `const words = [...document.querySelectorAll('.notices .words')].at(-1);
     return words.scrollWidth <= words.clientWidth;`,
  );
  expect(isWhole).toBe(true);
  await pointer.park();
  for (const theme of ['dark', 'light']) {
    await page.setTheme(theme);
    await pointer.park();
    await studio.picture(`notices-stack-${theme}`);
  }
});
