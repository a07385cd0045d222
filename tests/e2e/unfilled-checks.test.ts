// Checks that wait to be filled in, by keys at the display: they wait on when another registry was open
// and after a restart, and a deleted one leaves the focus on the next row.
import { expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, reopen, studio } from './window-fixture';

opens(['Trivia Host', 'trivia_host.json']);

const rows = async (): Promise<string[]> => {
  const names = await studio.page.lines('[data-check] .name');
  const groups = await studio.page.all('[data-check]', 'data-group');
  return names.map((name, index) => `${String(groups[index])}: ${name}`);
};

const waiting = async (names: string[]): Promise<void> => {
  await eventually(async () => {
    const found = (await rows()).filter((row) => /new check|^broken/.test(row));
    expect(found).toEqual(names.map((name) => `empty: ${name}`));
  });
};

const focused = () =>
  studio.window.executeScript<string>(
    'return document.activeElement?.querySelector(".name")?.textContent ?? ""',
  );

test('new checks wait, also after another registry was open', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  await page.showTab('Checks');
  await page.sees('[data-check]');
  for (const count of [1, 2]) {
    await page.press('Add check');
    await eventually(async () => {
      expect(await page.count('[data-group="empty"]')).toBe(count);
    });
  }
  await page.openRegistry('Night Stream', 'night_stream.json');
  await page.open('Registry');
  await pointer.click('[data-file="trivia_host.json"]');
  await page.sees('[data-check]');
  await waiting(['new check', 'new check 2']);
});

test('Del leaves the focus on the next row, which waits on', async () => {
  const { page, pointer } = studio;
  const index = (await page.all('[data-group="empty"]', 'data-check'))[0] ?? '';
  await pointer.click(`[data-check="${index}"]`);
  pointer.key('Delete');
  await waiting(['new check 2']);
  await eventually(async () => {
    expect(await focused()).toBe('new check 2');
  });
  pointer.key('ctrl+z');
  await waiting(['new check', 'new check 2']);
});

test('they wait after a restart', async () => {
  await studio.close();
  await reopen();
  studio.pointer.focus();
  await studio.page.sees('[data-check]');
  await waiting(['new check', 'new check 2']);
});
