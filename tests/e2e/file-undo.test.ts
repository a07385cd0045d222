// Actions on files are undone in the list by keys at the display: the row that comes back has the focus,
// a copy goes again, a new folder only while nobody put anything there, and the key says when nothing is
// left.
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

opens(['Trivia Host', 'trivia_host.json']);

const FILE = 'night_stream.json';

const isThere = (file: string): boolean => existsSync(join(home.registries, file));

const focused = () =>
  studio.window.executeScript<string | undefined>('return document.activeElement?.dataset.file');

const isAt = (file: string) =>
  eventually(async () => {
    expect(await focused()).toBe(file);
  });

test('a deleted row that was the only one found has the focus again', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  await pointer.click('[data-files]');
  await page.sees('[role=treegrid] [data-file]');
  pointer.key('slash');
  pointer.type('night_stream');
  await eventually(async () => {
    expect(await page.all('[data-file]', 'data-file')).toEqual([FILE]);
  });
  pointer.key('Down');
  await isAt(FILE);
  pointer.key('Delete');
  await eventually(async () => {
    expect(isThere(FILE)).toBe(false);
    expect(await page.count('[data-file]')).toBe(0);
  });
  pointer.key('ctrl+z');
  await eventually(() => {
    expect(isThere(FILE)).toBe(true);
  });
  await isAt(FILE);
});

test('a copy and a new name are undone one after the other, then nothing is left', async () => {
  const { page, pointer } = studio;
  pointer.key('F2');
  await page.sees('[data-file] input');
  pointer.key('ctrl+a');
  pointer.type('night_stream late');
  pointer.key('Return');
  await isAt('night_stream_late.json');
  pointer.key('ctrl+d');
  await isAt('night_stream_late_copy.json');
  pointer.key('ctrl+z');
  await eventually(() => {
    expect(isThere('night_stream_late_copy.json')).toBe(false);
    expect(isThere('night_stream_late.json')).toBe(true);
  });
  await isAt('night_stream_late.json');
  pointer.key('ctrl+z');
  await isAt(FILE);
  expect([isThere(FILE), isThere('night_stream_late.json')]).toEqual([true, false]);
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect((await page.lines('.notices .notice')).join()).toContain('No action on files to undo.');
  });
  await isAt(FILE);
});

test('a new folder goes again, but not with what another program put there', async () => {
  const { page, pointer } = studio;
  // All rows are listed, a folder without any too.
  pointer.key('slash', 'ctrl+a', 'BackSpace');
  await pointer.click('[aria-label="New folder"]');
  await page.sees('[aria-label="Name of the new folder"]');
  pointer.type('drafts');
  pointer.key('Return');
  await eventually(() => {
    expect(isThere('drafts')).toBe(true);
  });
  await page.sees('[data-folder=drafts]');
  const theirs = join(home.registries, 'drafts', 'theirs.json');
  copyFileSync(join(home.registries, FILE), theirs);
  await page.sees('[data-file="drafts/theirs.json"]');
  pointer.key('ctrl+z');
  await eventually(async () => {
    const problem = (await page.lines('[role=dialog] .problem')).join();
    expect(problem).toContain('The folder drafts is not removed: it holds drafts/theirs.json');
  });
  expect(isThere('drafts/theirs.json')).toBe(true);
  rmSync(theirs);
  pointer.key('ctrl+z');
  await eventually(() => {
    expect(isThere('drafts')).toBe(false);
  });
});
