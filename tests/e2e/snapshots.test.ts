// Snapshots in the window: note and pin, switching by key, copy, search, comparison, export, deletion
// and its undo.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

interface Snapshot {
  id: number;
  name: string;
  note: string;
  pinned: number | null;
}

/** The prompt of the snapshot. */
let snapshotPrompt: string;

opens(['Trivia Host', FILE]);

beforeAll(async () => {
  await studio.page.showRaw();
  await studio.page.setSwitch('Random item of personas', false);
  await studio.page.choose('Item of personas', 'deadpan');
  await eventually(async () => {
    expect(await studio.page.prompt()).toContain('You are dry');
  });
});

/** The snapshots as the command line lists them. */
const listed = (): Snapshot[] =>
  JSON.parse(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)) as Snapshot[];

/** The names in the panel, from above. */
const names = () => studio.page.all('#snapshots [role=option] .name > *', 'title');

test('a key without a snapshot says where one is pinned, and leads there', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  pointer.key('ctrl+1');
  await page.takeUp('No snapshot is pinned to key 1.', 'Snapshots');
  await page.sees('#snapshots');
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.count('#snapshots')).toBe(0);
  });
});

test('one is taken by a key, named, given a note and pinned', async () => {
  const { page } = studio;
  snapshotPrompt = await page.prompt();
  await page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(listed()).toHaveLength(1);
  });
  await page.press('Snapshots');
  await page.press('Rename');
  await page.type('Snapshot name', 'warm room');
  await page.type('Note', 'before the late crowd');
  await page.pressWords('Save');
  await eventually(async () => {
    expect(await page.focused(), 'the focus is where it was').toBe('Rename');
  });
  await page.press('Pin');
  await eventually(() => {
    expect(listed()).toMatchObject([
      { name: 'warm room', note: 'before the late crowd', pinned: 1 },
    ]);
  });
  await studio.picture('snapshots');
  await page.keys([], Key.ESCAPE);
});

test('the shortcut restores the snapshot, and undo reverts that', async () => {
  const { page } = studio;
  await page.choose('Item of personas', 'hype_host');
  await page.choose('Item of sentiment', 'negative');
  await eventually(async () => {
    expect(await page.prompt()).toContain('out of crisps');
  });
  const moved = await page.prompt();
  await page.keys([Key.CONTROL], '1');
  await eventually(async () => {
    expect(await page.prompt()).toBe(snapshotPrompt);
  });
  await page.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await page.prompt()).toBe(moved);
  });
});

test('compared with now, it tells every setting and word that differs', async () => {
  const { page } = studio;
  await page.press('Snapshots');
  await page.pressWords('Open in Compare');
  await page.sees('section[aria-label="State"] tbody tr');
  const rows = await page.lines('section[aria-label="State"] tbody tr');
  expect(
    rows.some(
      (row) => row.includes('personas') && row.includes('deadpan') && row.includes('hype_host'),
    ),
  ).toBe(true);
  expect(rows.some((row) => row.includes('sentiment') && row.includes('negative'))).toBe(true);
  const gone = (await page.lines('.diff del')).join(' ');
  const come = (await page.lines('.diff ins')).join(' ');
  expect(gone).toContain('warm');
  expect(come).toContain('crisps');
  await studio.picture('compare');
  await page.showTab('Prompt');
});

test('a copy is found by its name, exported, deleted and restored', async () => {
  const { page } = studio;
  await page.press('Snapshots');
  await page.press('Duplicate');
  await eventually(() => {
    expect(listed().filter(({ note }) => note === 'before the late crowd')).toHaveLength(2);
  });
  await page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(async () => {
    expect(await names()).toHaveLength(3);
  });
  await page.type('Find a snapshot', 'late crowd');
  await eventually(async () => {
    expect(await names()).toHaveLength(2);
  });
  await page.pressRow('#snapshots [role=option][tabindex="-1"]');
  const before = listed();

  // What it says is there for some seconds only; it says so once it is done.
  await page.press('Delete');
  await page.takeUp('Deleted', 'Undo');
  await eventually(() => {
    expect(listed()).toEqual(before);
  });
  // Until the window lists it again, the menu is that of the other one.
  await eventually(async () => {
    expect(await names()).toHaveLength(2);
  });

  const path = join(home.folder, 'late.json');
  await page.menu('Export', 'Save model JSON to a file…');
  await studio.choose('Export model JSON', path);
  await eventually(() => {
    expect(existsSync(path)).toBe(true);
  });
  const one = listed().find(({ name }) => name === 'warm room')!;
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
    JSON.parse(promptdeck(['snapshot', 'export', String(one.id)], home.env)),
  );
});

/** What is cut off, squeezed or lies over another in the panel. */
const FAULTS = `
  const panel = document.querySelector('#snapshots');
  const box = (each) => each.getBoundingClientRect();
  const found = [];
  const parts = [...panel.querySelector('.detail').children];
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1];
    if (next && box(part).bottom > box(next).top + 1) found.push(part.className + ' over the next');
    if (part.scrollHeight > part.clientHeight + 1) found.push(part.className + ' is cut');
  }
  if (box(panel.querySelector('.detail .name')).width < 160) found.push('the name is squeezed');
  if (box(panel.querySelector('.head span')).height > 20) found.push('the count is broken');
  for (const button of panel.querySelectorAll('button')) {
    button.scrollIntoView({ block: 'nearest' });
    const [own, frame] = [box(button), box(panel)];
    const isIn = own.left >= frame.left && own.right <= frame.right + 1 && own.bottom <= frame.bottom + 1;
    if (!isIn) found.push(button.textContent || button.getAttribute('aria-label'));
  }
  return found;`;

test('zoomed in, nothing of the panel is cut off or lies over another', async () => {
  const { page, pointer, window } = studio;
  await page.keys([], Key.ESCAPE);
  await studio.resize(800, 700);
  pointer.focus();
  pointer.key('ctrl+shift+o');
  await page.sees('#snapshots .detail table');
  for (const zoom of [1.1, 1.25, 1.5, 1.75, 2, 2.5]) {
    pointer.key('ctrl+equal');
    await eventually(async () => {
      const width = await window.executeScript<number>('return innerWidth');
      expect(800 / width).toBeCloseTo(zoom, 1);
      expect(await window.executeScript<string[]>(FAULTS), String(zoom)).toEqual([]);
    });
    await studio.picture(`snapshots-zoom-${String(zoom)}`);
  }
  pointer.key('ctrl+0', 'Escape');
  await studio.resize(1440, 900);
});
