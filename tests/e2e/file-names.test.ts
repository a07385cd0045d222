// Names in the list of registries: a row keeps its columns while its title is typed, as does that of a
// file that cannot be read, and what is refused is told at its field.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json'], (home) => {
  writeFileSync(join(home.registries, 'cut.json'), '{"registry": ');
  mkdirSync(join(home.registries, 'drafts'));
});

/** The left edges of the date and of the menu of a row, and of their columns. */
const edges = (row: string) =>
  studio.window.executeScript<number[]>(
    `const right = (cell) => cell.getBoundingClientRect().right;
     return [...document.querySelector(arguments[0]).children].slice(-2).map(right);`,
    row,
  );
/** Begins to rename what a row shows. */
const rename = async (row: string): Promise<void> => {
  await eventually(async () => {
    expect(await studio.page.count('#files input:focus')).toBe(0);
    await studio.window.executeScript('document.querySelector(arguments[0]).focus()', row);
    expect(await studio.page.count(`${row}:focus`)).toBe(1);
  });
  studio.pointer.key('F2');
  await studio.page.sees(`${row} input`);
};
const type = (words: string): void => {
  studio.pointer.key('ctrl+a');
  studio.pointer.type(words);
};
const fault = (at: string, words: string) =>
  eventually(async () => {
    expect(await studio.page.content(`${at} [role=alert]`)).toContain(words);
  });

test.each([
  [1280, 800],
  [800, 700],
])('a row keeps its columns while its title is typed, at %i x %i', async (width, height) => {
  await studio.resize(width, height);
  if ((await studio.page.count('[role=treegrid]')) === 0) {
    await studio.pointer.click('[data-files]');
  }
  await studio.page.sees('[data-file="cut.json"] .danger-ink');
  const row = '[data-file="trivia_host.json"]';
  const [changed] = await edges('[role=treegrid] .columns');
  const before = await edges(row);
  expect(before[0]).toBeCloseTo(changed ?? 0, 0);
  expect(await edges('[data-file="cut.json"]')).toEqual(before);
  await rename(row);
  expect(await edges(row)).toEqual(before);
  type('a/b: c?');
  await eventually(async () => {
    expect(await studio.page.content(row)).toContain('becomes a_b_c.json');
  });
  expect(await edges(row)).toEqual(before);
  await studio.picture(`file-names-title-${String(width)}`);
  type('Noir Roller');
  await fault(row, 'noir_roller.json already exists');
  expect(await edges(row)).toEqual(before);
  await studio.picture(`file-names-taken-${String(width)}`);
  studio.pointer.key('Escape');
});

test('a name of a folder is refused at its field, while it is typed', async () => {
  await studio.resize(1280, 800);
  await studio.pointer.click('#files [aria-label="New folder"]');
  await studio.page.sees('.naming input');
  type('a/b');
  await fault('.naming', 'A name may not contain /');
  studio.pointer.key('Return');
  await fault('.naming', 'A name may not contain /');
  await studio.picture('file-names-folder');
  type('two');
  await eventually(async () => {
    expect(await studio.page.count('.naming [role=alert]')).toBe(0);
  });
  studio.pointer.key('Escape');
  const row = '[data-folder="drafts"]';
  await rename(row);
  type('c:d');
  await fault(row, 'A name may not contain /');
  await studio.picture('file-names-folder-renamed');
  studio.pointer.key('Escape');
  studio.pointer.key('Escape');
});

test('a new registry takes the title that a rename takes, and names its file in the same way', async () => {
  await studio.pointer.click('[data-files]');
  await studio.page.sees('#files');
  await studio.pointer.click('#files .head > .btn');
  await studio.page.sees('dialog .foot input');
  await studio.pointer.click('dialog .foot input');
  type('a/b: c?');
  await eventually(async () => {
    expect(await studio.page.content('dialog .foot')).toContain('becomes a_b_c.json');
  });
  await studio.picture('file-names-new');
  studio.pointer.key('Return');
  await eventually(async () => {
    expect(await studio.page.content('[data-files]')).toContain('a/b: c?');
  });
});

test('a call document is refused a name at its field, while it is typed', async () => {
  await studio.page.command('new call document');
  await studio.page.sees('.name + .hint');
  type('a/b');
  await fault('.hint', 'A name may not contain /');
  await studio.picture('file-names-call');
  studio.pointer.key('Escape');
});
