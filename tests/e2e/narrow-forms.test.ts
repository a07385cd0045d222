// Forms in a narrow column: heads are on one line with their hint in sight, and a golden text has the
// width of its form, below the kind that it is of.
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';

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
