// The panel of files in the real window, by mouse and keys: found, renamed, copied, deleted and
// restored, made, moved to a sub-folder, saved without being asked to. The files on the disk tell.
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

const path = (name: string) => join(home.registries, name);
const title = (name: string) => {
  const file = JSON.parse(readFileSync(path(name), 'utf8')) as { registry: { title: string } };
  return file.registry.title;
};
const inTrash = () => {
  const folder = join(home.folder, 'data', 'Trash', 'files');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const row = (name: string) => `[data-file="${name}"]`;
const focused = () =>
  studio.window.executeScript<string | null>(
    'return document.activeElement?.getAttribute("data-file") ?? document.activeElement?.getAttribute("aria-label")',
  );

/** Opens the panel by a press on the registry's name. */
const show = async (): Promise<void> => {
  studio.pointer.focus();
  if ((await studio.page.count('[role=treegrid]')) > 0) return;
  await studio.pointer.click('[data-files]');
  await studio.page.sees('[role=treegrid] [data-file]');
};

/** Puts the focus on the row of a file, by the filter. */
const find = async (words: string, file: string): Promise<void> => {
  studio.pointer.key('slash');
  await eventually(async () => {
    expect(await focused()).toBe('Filter registries');
  });
  studio.pointer.key('ctrl+a');
  studio.pointer.type(words);
  await eventually(async () => {
    expect(await studio.page.count('[data-file]')).toBe(1);
  });
  studio.pointer.key('Down');
  await eventually(async () => {
    expect(await focused()).toBe(file);
  });
};

test('the panel lists the registries, the open one marked, and filters', async () => {
  await show();
  await eventually(async () => {
    expect(await focused()).toBe('trivia_host.json');
  });
  expect(await studio.page.count('[data-file]')).toBe(5);
  // The picture of its sections comes a moment later.
  await studio.page.sees(`${row('noir_roller.json')} .stack > i`);
  await studio.picture('files');
  await find('noir', 'noir_roller.json');
});

test('a registry is renamed in its row, and its file follows', async () => {
  studio.pointer.key('F2');
  await eventually(async () => {
    expect(await focused()).toBe('New title of Noir Roller');
  });
  studio.pointer.key('ctrl+a');
  studio.pointer.type('Noir night');
  await eventually(async () => {
    expect(await studio.page.content(row('noir_roller.json'))).toContain('becomes noir_night.json');
  });
  const cut = await studio.window.executeScript<boolean>(
    `const { scrollWidth, clientWidth } = document.querySelector(arguments[0]);
     return scrollWidth > clientWidth;`,
    `${row('noir_roller.json')} .note`,
  );
  expect(cut).toBe(false);
  await studio.picture('files-rename');
  studio.pointer.key('Return');
  await eventually(() => {
    expect(existsSync(path('noir_night.json'))).toBe(true);
    expect(title('noir_night.json')).toBe('Noir night');
  });
  expect(existsSync(path('noir_roller.json'))).toBe(false);
  await eventually(async () => {
    expect(await focused()).toBe('noir_night.json');
  });
});

test('the registries worked on last have the title that they have by now', async () => {
  const recent = () => studio.page.lines('nav[aria-label="Folders"] .second + ul .ell');
  const isRecent = (name: string) =>
    eventually(async () => {
      expect(await recent()).toContain(name);
    });
  await isRecent('Trivia Host');
  await find('trivia', 'trivia_host.json');
  studio.pointer.key('F2');
  await eventually(async () => {
    expect(await focused()).toBe('New title of Trivia Host');
  });
  studio.pointer.key('ctrl+a');
  studio.pointer.type('Trivia night');
  studio.pointer.key('Return');
  await isRecent('Trivia night');
  expect(await recent()).not.toContain('Trivia Host');
  await eventually(async () => {
    expect(await focused()).toBe('trivia_night.json');
  });
  studio.pointer.key('ctrl+z');
  await isRecent('Trivia Host');
  await find('noir', 'noir_night.json');
});

test('a registry is copied, deleted and restored by keys', async () => {
  studio.pointer.key('ctrl+d');
  await eventually(async () => {
    expect(existsSync(path('noir_night_copy.json'))).toBe(true);
    expect(await focused()).toBe('noir_night_copy.json');
  });
  const bytes = readFileSync(path('noir_night_copy.json'));
  studio.pointer.key('Delete');
  await eventually(() => {
    expect(existsSync(path('noir_night_copy.json'))).toBe(false);
  });
  // Its checks are deleted with it.
  await eventually(() => {
    expect(inTrash().toSorted()).toEqual(['noir_night_copy.checks.json', 'noir_night_copy.json']);
  });
  await studio.page.sees('.undo');
  await studio.picture('files-deleted');
  studio.pointer.key('ctrl+z');
  await eventually(() => {
    expect(existsSync(path('noir_night_copy.json'))).toBe(true);
  });
  expect(readFileSync(path('noir_night_copy.json'))).toEqual(bytes);
  await eventually(() => {
    expect(inTrash()).toEqual([]);
  });
  expect(existsSync(path('noir_night_copy.checks.json'))).toBe(true);
});

test('the open registry is deleted with its unsaved edits, and both come back', async () => {
  await studio.page.keys([], Key.ESCAPE);
  await studio.page.type('base_context variable venue', 'The Brass Lantern');
  await eventually(() => {
    expect(home.keeps('The Brass Lantern')).toBe(true);
  });
  await show();
  await find('trivia', 'trivia_host.json');
  studio.pointer.key('Delete');
  await eventually(() => {
    expect(existsSync(path('trivia_host.json'))).toBe(false);
  });
  // No other registry is shown in its place.
  await studio.page.sees('.nothing');
  expect(await studio.page.count('[data-card]')).toBe(0);
  await studio.picture('files-deleted-open');
  await studio.pointer.click('.undo .take-back');
  await eventually(() => {
    expect(existsSync(path('trivia_host.json'))).toBe(true);
  });
  await studio.page.sees('[data-files][title$="trivia_host.json"]');
  await eventually(async () => {
    expect(await studio.page.read('base_context variable venue')).toBe('The Brass Lantern');
  });
  studio.pointer.key('Escape');
});

test('a sub-folder is made and a registry moved there by its menu', async () => {
  await show();
  await studio.pointer.click('button[aria-label="New folder"]');
  await eventually(async () => {
    expect(await focused()).toBe('Name of the new folder');
  });
  studio.pointer.type('finals');
  studio.pointer.key('Return');
  await studio.page.sees('[data-folder="finals"]');
  await studio.pointer.hover(row('support_desk.json'));
  await studio.pointer.click(`${row('support_desk.json')} button[aria-haspopup=menu]`);
  await studio.pointer.click('[role=menuitem][data-row="Move to finals"]');
  await eventually(() => {
    expect(existsSync(path('finals/support_desk.json'))).toBe(true);
  });
  await studio.pointer.click(`${row('finals/support_desk.json')} .name`);
  await studio.page.sees('[data-files][title$="finals/support_desk.json"]');
});

test('a sub-folder is renamed, deleted and restored with the registry that is open', async () => {
  const act = async (folder: string, action: string): Promise<void> => {
    await studio.pointer.hover(`[data-folder="${folder}"]`);
    await studio.pointer.click(`[data-folder="${folder}"] button[aria-haspopup=menu]`);
    await studio.pointer.click(`[role=menuitem][data-row="${action}"]`);
  };
  await show();
  await act('finals', 'Rename');
  await eventually(async () => {
    expect(await focused()).toBe('New name of the folder finals');
  });
  studio.pointer.key('ctrl+a');
  studio.pointer.type('rounds');
  studio.pointer.key('Return');
  await eventually(() => {
    expect(existsSync(path('rounds/support_desk.json'))).toBe(true);
    expect(existsSync(path('finals'))).toBe(false);
  });
  await studio.page.sees('[data-files][title$="rounds/support_desk.json"]');
  await studio.picture('files-folder');
  await act('rounds', 'Delete');
  await eventually(() => {
    expect(existsSync(path('rounds'))).toBe(false);
  });
  await studio.page.sees('.nothing');
  await studio.pointer.click('.undo .take-back');
  await eventually(() => {
    expect(existsSync(path('rounds/support_desk.json'))).toBe(true);
  });
  await studio.page.sees('[data-files][title$="rounds/support_desk.json"]');
  await studio.page.sees('[data-folder="rounds"]');
});

test('a registry is dragged onto a folder with its checks, and Ctrl+Z puts both back', async () => {
  await show();
  const night = row('noir_night.json');
  const folder = '[data-folder="rounds"]';
  await studio.pointer.drag(`${night} .name`, folder, undefined, async () => {
    await studio.page.sees(`${folder}[data-drop]`);
    await studio.page.sees('.dragged');
    await studio.picture('files-drag');
  });
  await eventually(() => {
    expect(existsSync(path('rounds/noir_night.json'))).toBe(true);
    expect(existsSync(path('rounds/noir_night.checks.json'))).toBe(true);
    expect(existsSync(path('noir_night.json'))).toBe(false);
  });
  await studio.page.sees(`${row('rounds/noir_night.json')}:focus`);
  expect(await studio.page.count('.dragged')).toBe(0);
  studio.pointer.key('ctrl+z');
  await eventually(() => {
    expect(existsSync(path('noir_night.json'))).toBe(true);
    expect(existsSync(path('noir_night.checks.json'))).toBe(true);
    expect(existsSync(path('rounds/noir_night.json'))).toBe(false);
  });
  // The row was pressed, not clicked: the registry that was open is open.
  await studio.page.sees('[data-files][title$="rounds/support_desk.json"]');
});

test('Esc ends a drag, and one onto a folder with a file of that name is refused', async () => {
  await show();
  const night = row('noir_night.json');
  const folder = '[data-folder="rounds"]';
  const target = await studio.pointer.spot(folder);
  await studio.pointer.hover(`${night} .name`);
  studio.pointer.press();
  studio.pointer.move(target);
  await studio.page.sees(`${folder}[data-drop]`);
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.count('.dragged, [data-drop]')).toBe(0);
  });
  studio.pointer.release();
  await studio.page.sees(night);
  expect(existsSync(path('noir_night.json'))).toBe(true);
  cpSync(path('noir_night.json'), path('rounds/noir_night.json'));
  await studio.page.sees(row('rounds/noir_night.json'));
  await studio.pointer.drag(`${night} .name`, folder);
  await eventually(async () => {
    const problem = await studio.window.executeScript<string>(
      'return document.querySelector("#files .problem")?.textContent ?? ""',
    );
    expect(problem).toContain('already exists');
  });
  expect(existsSync(path('noir_night.json'))).toBe(true);
  rmSync(path('rounds/noir_night.json'));
});

test('a new registry is made in a folder of the author, which is remembered', async () => {
  await show();
  await studio.pointer.click('button[title="New registry…"]');
  await studio.pointer.click('dialog button[aria-label^="Folder of the file: "]');
  await studio.pointer.click('[role=option][data-row="New sub-folder…"]');
  await eventually(async () => {
    expect(await focused()).toBe('Name of the new folder');
  });
  studio.pointer.type('drafts');
  studio.pointer.key('Return');
  await studio.page.sees('dialog button[aria-label="Folder of the file: drafts"]');
  await studio.picture('start-folder');
  await studio.page.pressInDialog('Create deck');
  await eventually(() => {
    expect(existsSync(path('drafts/untitled.json'))).toBe(true);
  });
  await show();
  await studio.pointer.click('button[title="New registry…"]');
  await studio.page.sees('dialog button[aria-label="Folder of the file: drafts"]');
  await studio.page.pressInDialog('Cancel');
});

test('a new registry is made from the panel and typed into at once', async () => {
  await show();
  await studio.pointer.click('button[title="New registry…"]');
  await studio.pointer.click('dialog button[aria-label^="Folder of the file: "]');
  await studio.pointer.click('[role=option]');
  await studio.page.pressInDialog('Create deck');
  await eventually(async () => {
    expect(existsSync(path('untitled.json'))).toBe(true);
    expect(await focused()).toBe('base_context.first.text');
  });
});

test('with autosave on, what is typed is in the file a moment later', async () => {
  await show();
  await studio.pointer.click('.foot .switch');
  await studio.page.sees('.foot input:checked');
  studio.pointer.key('Escape');
  await studio.page.type('base_context.first.text', 'A house by the sea.');
  await eventually(() => {
    expect(readFileSync(path('untitled.json'), 'utf8')).toContain('A house by the sea.');
  });
  await eventually(async () => {
    expect(await studio.page.count('[data-files] .dot')).toBe(0);
  });
});

test('another folder is opened by its dialog, and this one again from the list', async () => {
  const other = mkdtempSync(join(tmpdir(), 'promptdeck-folder-'));
  try {
    cpSync(path('night_stream.json'), join(other, 'stream.json'));
    studio.pointer.focus();
    studio.pointer.key('ctrl+o');
    await studio.choose('Open a folder of registries', other);
    await studio.page.sees('[data-files][title$="Registry stream.json"]');
    await show();
    expect(await studio.page.count('[data-file]')).toBe(1);
    await studio.pointer.click(`.place[title*="${home.registries}"]`);
    await studio.page.sees('[data-files][title$="untitled.json"]');
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});
