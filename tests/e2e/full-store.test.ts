// A store whose disk is full: the status bar and the notices say what is not saved, and the status bar
// says when it is again. Keys are X events.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

const TEXT = 'textarea[aria-label="base_context.pub_night.text"]';

let disk: string | undefined;

opens(['Trivia Host', 'trivia_host.json'], (made) => {
  const folder = join(made.folder, 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', folder], { stdio: 'ignore' });
  } catch {
    return;
  }
  disk = folder;
  made.store = join(folder, 'store.sqlite');
});

afterAll(async () => {
  if (disk === undefined) return;
  await home.ended();
  execFileSync('umount', ['-l', disk]);
});

/** Fills a disk to the last byte. */
const fill = (folder: string): void => {
  const file = openSync(join(folder, 'filler'), 'w');
  for (const size of [65_536, 4096, 512, 1]) {
    try {
      while (writeSync(file, Buffer.alloc(size)) > 0);
    } catch {
      // Smaller pieces may still fit.
    }
  }
  closeSync(file);
};

const footer = () => studio.page.content('footer');
const notices = () => studio.page.lines('.notices .notice');

const expectNotice = (words: string) =>
  eventually(async () => {
    expect(await footer()).toContain(words);
  });

test('a full disk is in the status bar until something is saved, and a snapshot that is not taken is named', async (context) => {
  if (disk === undefined) return context.skip();
  const { page, pointer } = studio;
  await pointer.focus();
  await expectNotice('Store healthy');
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  fill(disk);
  await pointer.click(TEXT);
  await page.type('base_context.pub_night.text', 'All of this is new. '.repeat(40));
  await expectNotice('Store full');
  await eventually(async () => {
    expect((await notices()).join('\n')).toMatch(/The disk of .* is full/);
  });
  pointer.key('ctrl+shift+s');
  await eventually(async () => {
    expect((await notices()).join('\n')).toMatch(/The snapshot ["“].* was not taken: the disk of /);
  });
  await studio.picture('store-full');
  rmSync(join(disk, 'filler'));
  pointer.key('ctrl+shift+s');
  await expectNotice('Store healthy');
  await eventually(async () => {
    expect((await notices()).join('\n')).toContain('Took snapshot');
  });
});
