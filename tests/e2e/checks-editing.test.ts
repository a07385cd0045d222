// The form of a check by mouse at the display, its texts by keyboard: a check is added and filled in, a value
// that cannot be used is said at its field while all other checks go on, and the saved file has the
// verdicts that the window showed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { promptdeck } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';
const CHECKS = 'trivia_host.checks.json';

opens(['Trivia Host', FILE]);

interface Check {
  name: string;
  given?: Record<string, unknown>;
  answer?: string;
  expect: Record<string, unknown>[];
}

const saved = (): Check[] =>
  (JSON.parse(readFileSync(join(home.registries, CHECKS), 'utf8')) as { checks: Check[] }).checks;

const group = async (name: string): Promise<string | undefined> => {
  const names = await studio.page.lines('[data-check] .name');
  const groups = await studio.page.all('[data-check]', 'data-group');
  return groups[names.indexOf(name)];
};

const alerts = (row: number): Promise<string[]> =>
  studio.page.lines(`[data-expectation="${row}"] [role="alert"]`);

const formTop = (): Promise<number> =>
  studio.window.executeScript(
    'return document.querySelector(".fields").getBoundingClientRect().top',
  );

const press = (label: string, within = ''): Promise<void> =>
  studio.pointer.click(`${within} button[aria-label^="${label}"]`);

/** Opens a list by mouse and takes an option by its first letters. */
const choose = async (label: string, option: string, within = ''): Promise<void> => {
  const { page, pointer } = studio;
  await press(label, within);
  await page.sees(`[role="option"][data-row="${option}"]`);
  await pointer.click(`[role="option"][data-row="${option}"]`);
};

test('a check is added and filled in, and unusable values are reported in place', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  await page.showTab('Checks');
  await page.sees('[data-check]');
  const others = (await page.count('[data-check]')) - (await page.count('[data-group="fails"]'));
  await press('Add check');
  await eventually(async () => expect(await page.focused()).toBe('Name'));
  pointer.type('by hand');
  await eventually(async () => expect(await group('by hand')).toBe('empty'));
  expect(await alerts(0), 'nothing was filled in yet').toEqual([]);

  const first = '[data-expectation="0"]';
  await pointer.click(`${first} textarea`);
  pointer.key('Tab');
  await eventually(async () => expect(await group('by hand')).toBe('broken'));
  await eventually(async () => expect((await alerts(0))[0]).toContain('at least one character'));
  await choose('Kind of expectation', 'not_matches', first);
  await pointer.click(`${first} textarea`);
  pointer.type('(zzz');
  await eventually(async () => expect((await alerts(0))[0]).toContain('does not compile'));
  expect(await page.count('[data-group="holds"]')).toBe(others);
  const before = await formTop();
  pointer.type(')');
  await eventually(async () => expect(await group('by hand')).toBe('holds'));
  expect(await formTop(), 'the form keeps its place').toBe(before);
  expect(await alerts(0)).toEqual([]);

  const add = '[data-add] button';
  await pointer.click(add);
  await pointer.click('[data-expectation="1"] textarea');
  // Leaving the field shows its error, which pushes the button away under the pointer.
  await pointer.click(add);
  await page.sees('[data-expectation="2"]');
  expect((await alerts(1))[0]).toContain('at least one character');
  pointer.key('ctrl+z', 'ctrl+z');
  await eventually(async () => expect(await page.count('[data-expectation="1"]')).toBe(0));

  pointer.key('ctrl+s');
  await eventually(() => {
    const check = saved().at(-1);
    expect(check?.name).toBe('by hand');
    expect(check?.expect).toEqual([{ not_matches: '(zzz)' }]);
    expect(check?.given?.rolls).toBe(200);
  });
  const file = join(home.registries, FILE);
  const report = promptdeck(['test', file, '--filter', 'by hand', '--format', 'json'], home.env);
  const [{ checks }] = JSON.parse(report) as [{ checks: { status: string }[] }];
  expect(checks.map(({ status }) => status)).toEqual(['passed']);
});

test.each([
  { width: 800, height: 700 },
  { width: 1280, height: 800 },
])('nothing of the form sticks out at $width x $height', async ({ width, height }) => {
  const { page } = studio;
  await studio.window.manage().window().setRect({ width, height });
  for (const theme of ['light', 'dark']) {
    await page.setTheme(theme);
    await studio.picture(`checks-${theme}-${String(width)}`);
    const wide = await studio.window.executeScript<string[]>(
      `return [...document.querySelectorAll('[data-checks] *')]
         .filter((each) => getComputedStyle(each).overflowX === 'visible')
         .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 1)
         .map((each) => each.outerHTML.slice(0, 120))`,
    );
    expect(wide, theme).toEqual([]);
  }
});
