// Closing the window, as a window manager asks for it, ends the program at once, whatever it computes.
import { expect, test } from 'vitest';

import { Home, Studio } from './studio';

/** Opens a window, has it compute, and closes it. Gives the time until the program was gone. */
const closedDuring = async (work: (studio: Studio) => Promise<void>): Promise<number> => {
  const home = new Home();
  const studio = await Studio.open(home);
  try {
    await studio.page.openRegistry('Trivia Host', 'trivia_host.json');
    await work(studio);
    return await studio.closeWindow(home);
  } finally {
    // Its session ended with it.
    await studio.close().catch(() => undefined);
    await home.remove();
  }
};

test('closing the window while a million rolls are measured ends the program within a second', async () => {
  const time = await closedDuring(async ({ page }) => {
    await page.showTab('Variants');
    await page.choose('Rolls in the sample', '1,000,000');
    await page.sees('[data-progress]');
  });
  expect(time).toBeLessThan(1_000);
});

test('closing the window while a million rolls are compared ends the program within a second', async () => {
  const time = await closedDuring(async ({ page }) => {
    await page.menu('base_context actions', 'Edit items');
    await page.press('Edit pub_night');
    await page.enter('base_context.pub_night.text');
    await page.keys([], 'x');
    await page.sees('[data-impact]');
    await page.pressRow('[data-impact]');
    await page.pressIn('Rolls in the sample', '1,000,000');
    await page.sees('[data-progress]');
  });
  expect(time).toBeLessThan(1_000);
});
