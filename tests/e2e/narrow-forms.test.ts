// Forms in a narrow column: heads are on one line with their hint in sight, and a golden text has the
// width of its form, below the kind that it is of. Help and the palette in a window that is zoomed in.
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

/** The boxes of elements, all at one time. */
const boxesOf = (...selectors: string[]) =>
  studio.window.executeScript<DOMRect[]>(
    `return arguments[0].map((selector) =>
       document.querySelector(selector).getBoundingClientRect().toJSON());`,
    selectors,
  );

const sizes = [
  [1280, 800],
  [800, 700],
] as const;

test.each(sizes)('the head of a new message is read whole at %i x %i', async (width, height) => {
  await studio.resize(width, height);
  await studio.page.command('edit conversation');
  const head = 'section[aria-label="New message"] .head';
  await studio.page.sees(head);
  const [name] = await boxesOf(`${head} h3`);
  expect(name?.height).toBeLessThan(20);
  const cut = await studio.window.executeScript<boolean>(
    `const { scrollWidth, clientWidth } = document.querySelector(arguments[0]);
     return scrollWidth > clientWidth;`,
    `${head} .hint`,
  );
  expect(cut, 'the hint is cut off').toBe(false);
});

test.each(sizes)('a golden text has the width of its form at %i x %i', async (width, height) => {
  await studio.resize(width, height);
  await studio.page.command('show checks');
  if ((await studio.page.count('[data-expectation]')) === 0) {
    await studio.page.press('Keep the prompt as check');
    await studio.page.sees('[data-check="6"]');
    await studio.page.pressRow('[data-check="6"]');
  }
  await studio.page.sees('[data-expectation] textarea');
  const [row, kind, golden] = (await boxesOf(
    '[data-expectation]',
    '[data-expectation] button',
    '[data-expectation] .value',
  )) as [DOMRect, DOMRect, DOMRect];
  expect(golden.width / row.width).toBeGreaterThan(0.9);
  expect(golden.top).toBeGreaterThanOrEqual(kind.bottom);
});

test.each(sizes)('the hint for a new call document is whole at %i x %i', async (width, height) => {
  await studio.resize(width, height);
  await studio.page.command('new call document');
  const hint = '.name + .hint';
  await studio.page.sees(hint);
  const [box] = await boxesOf(hint);
  const cut = await studio.window.executeScript<boolean>(
    `const { scrollWidth, clientWidth } = document.querySelector(arguments[0]);
     return scrollWidth > clientWidth;`,
    hint,
  );
  await studio.picture(`new-call-name-${String(width)}`);
  expect(cut, 'the hint is cut off').toBe(false);
  expect(box?.height, 'two lines at most').toBeLessThan(36);
  studio.pointer.focus();
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count(hint)).toBe(0);
  });
});

test.each(sizes)(
  'a value of several lines stays as wide while its variable is renamed at %i x %i',
  async (width, height) => {
    await studio.resize(width, height);
    await studio.page.command('@base_context');
    const field = ':is(input, textarea)[aria-label="base_context variable venue"]';
    await studio.page.sees(field);
    await studio.pointer.click(field);
    studio.pointer.key('ctrl+a', 'O', 'Return', 'P');
    await studio.page.sees('textarea[aria-label="base_context variable venue"]');
    const [before] = await boxesOf(field);
    await studio.page.pressRow('[aria-label="Rename variable venue"]');
    await studio.page.sees('input[aria-label="Rename variable venue"]');
    const [during] = await boxesOf(field);
    await studio.picture(`rename-variable-${String(width)}`);
    expect(during?.width).toBeGreaterThanOrEqual(before?.width ?? 0);
    studio.pointer.key('Escape');
  },
);

/** What scrolls in a dialog, and what of its content is outside of it at the left or the right. */
const FIT = `
  const dialog = document.querySelector(arguments[0]);
  const within = [...dialog.querySelectorAll('*')];
  const scrolls = (each) =>
    /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight;
  const { left, right } = dialog.getBoundingClientRect();
  const outside = ({ width, ...box }) => width > 0 && (box.left < left || box.right > right);
  return {
    scrolling: [dialog, ...within].filter(scrolls).length,
    cut: within
      .filter((each) => each.matches(arguments[1]) && outside(each.getBoundingClientRect().toJSON()))
      .map((each) => each.textContent),
  };`;

test('zoomed in, all of help and of the foot of the palette can be read', async () => {
  const { page, pointer, window } = studio;
  await studio.resize(800, 700);
  pointer.focus();
  await window.executeScript('document.activeElement?.blur()');
  const fit = (dialog: string, parts: string) =>
    window.executeScript<{ scrolling: number; cut: string[] }>(FIT, dialog, parts);
  const goes = (dialog: string) =>
    eventually(async () => {
      expect(await page.count(dialog)).toBe(0);
    });
  const scrolled = (dialog: string) =>
    window.executeScript<number>('return document.querySelector(arguments[0]).scrollTop', dialog);
  const zoom = () => window.executeScript<number>('return 800 / innerWidth');
  const seen = new Set<number>();
  for (;;) {
    pointer.key('ctrl+equal');
    await pointer.keysArrived();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = await zoom();
    if (seen.has(now)) break;
    seen.add(now);
    if (now < 1.9) continue;
    pointer.key('F1');
    const help = 'dialog[aria-labelledby][open]';
    await page.sees(help);
    expect(await fit(help, '[role=radio], dt, dd, kbd'), `help at ${now}`).toEqual({
      scrolling: 1,
      cut: [],
    });
    expect(await scrolled(help)).toBe(0);
    await studio.picture(`help-zoomed-${now.toFixed(1)}`);
    pointer.key('Down');
    await eventually(async () => {
      expect(await scrolled(help), 'a key scrolls it').toBeGreaterThan(0);
    });
    pointer.key('Escape');
    await goes(help);
    pointer.key('ctrl+k');
    await page.sees('.palette');
    const { cut } = await fit('.palette', '.foot, .foot *');
    expect(cut, `palette at ${now}`).toEqual([]);
    await studio.picture(`palette-zoomed-${now.toFixed(1)}`);
    pointer.key('Escape');
    await goes('.palette');
  }
  expect([...seen].at(-1)).toBeGreaterThan(2);
  pointer.key('ctrl+0');
});
