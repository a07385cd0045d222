// The export of a prompt file by pointer and keys: what the dialog lists and what it writes is what
// the command line says of the same deck, seed and call document.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { programs } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';
const DIALOG = 'dialog[open]';

opens(['Trivia Host', FILE]);

/** What the command line writes, and what it says the file leaves out. */
const exported = async (format: string): Promise<{ text: string; omissions: string[] }> => {
  // State and route of the call document are for the command line; the window has its own.
  const call = JSON.parse(
    readFileSync(join(home.registries, 'calls', 'quiz_night.json'), 'utf8'),
  ) as Record<string, unknown>;
  delete call.state;
  const document = join(home.folder, 'call.json');
  writeFileSync(document, JSON.stringify(call));
  const seed = await studio.page.read('Seed');
  const registry = join(home.registries, FILE);
  const args = ['export', registry, '--to', format, '--call', document, '--seed', seed];
  const ran = spawnSync(programs.promptdeck, args, {
    encoding: 'utf8',
    env: { ...process.env, ...home.env },
  });
  const reported = [...ran.stderr.matchAll(/not in the file: (.*)/g)];
  return { text: ran.stdout, omissions: reported.map((line) => line[1] ?? '') };
};

const listed = (): Promise<string[]> => studio.page.lines(`${DIALOG} li`);
const preview = (): Promise<string> =>
  studio.window.executeScript(
    `return document.querySelector(arguments[0])?.textContent ?? ''`,
    `${DIALOG} pre`,
  );

test('the menu opens it, the format is chosen, and the file is what the command line writes', async () => {
  const { pointer } = studio;
  await pointer.click('button[aria-label="Export Model JSON"]');
  await pointer.click('[role=menu] [data-row="Export a prompt file…"]');
  const dotprompt = await exported('dotprompt');
  expect(dotprompt.omissions.length).toBeGreaterThan(1);
  await eventually(async () => {
    expect(await listed()).toEqual(dotprompt.omissions);
    expect(await preview()).toBe(dotprompt.text);
  });
  for (const theme of ['light', 'dark']) {
    await studio.window.executeScript(
      'document.documentElement.dataset.theme = arguments[0]',
      theme,
    );
    await studio.picture(`prompt-file-${theme}`);
  }

  await pointer.click(`${DIALOG} [role=radio]:last-child`);
  const prompty = await exported('prompty');
  await eventually(async () => {
    expect(await listed()).toEqual(prompty.omissions);
    expect(await preview()).toBe(prompty.text);
  });
  const path = join(home.folder, 'quiz.prompty');
  await pointer.click(`${DIALOG} .foot button:last-child`);
  await studio.choose('Export Prompty file', path);
  await eventually(() => {
    expect(existsSync(path)).toBe(true);
  });
  expect(readFileSync(path, 'utf8')).toBe(prompty.text);
  await eventually(async () => {
    expect(await studio.page.content('[role=log]')).toContain(`Exported to ${path}.`);
    expect(await studio.page.count(DIALOG)).toBe(0);
  });
});

test('its key opens it, and Escape leaves it', async () => {
  const { pointer } = studio;
  pointer.focus();
  pointer.key('ctrl+alt+e');
  await studio.page.sees(DIALOG);
  // The format it had.
  const prompty = await exported('prompty');
  await eventually(async () => {
    expect(await preview()).toBe(prompty.text);
  });
  pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count(DIALOG)).toBe(0);
  });
});
