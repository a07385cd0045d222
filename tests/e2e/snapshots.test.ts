// Snapshots in the window: note and pin, switching by key, copy, search, comparison, export, deletion
// and its undo.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './opened';
import { eventually } from './patience';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';

interface Snapshot {
  id: number;
  name: string;
  note: string;
  pinned: number | null;
}

/** The prompt of the snapshot. */
let kept: string;

opens(['Trivia Host', FILE]);

beforeAll(async () => {
  await studio.hands.showRaw();
  await studio.hands.setSwitch('Random item of personas', false);
  await studio.hands.choose('Item of personas', 'deadpan');
  await eventually(async () => {
    expect(await studio.hands.prompt()).toContain('You are dry');
  });
});

/** The snapshots as the command line lists them. */
const listed = (): Snapshot[] =>
  JSON.parse(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)) as Snapshot[];

/** The names in the panel, from above. */
const names = () => studio.hands.all('#snapshots [role=option] .name', 'title');

test('one is taken by a key, named, given a note and pinned', async () => {
  const { hands } = studio;
  kept = await hands.prompt();
  await hands.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(listed()).toHaveLength(1);
  });
  await hands.press('Snapshots');
  await hands.press('Rename');
  await hands.type('Snapshot name', 'warm room');
  await hands.type('Note', 'before the late crowd');
  await hands.pressWords('Save');
  await eventually(async () => {
    expect(await hands.focused(), 'the focus is where it was').toBe('Rename');
  });
  await hands.press('Pin');
  await eventually(() => {
    expect(listed()).toMatchObject([
      { name: 'warm room', note: 'before the late crowd', pinned: 1 },
    ]);
  });
  await studio.picture('snapshots');
  await hands.keys([], Key.ESCAPE);
});

test('its key brings it back, and undo takes that back', async () => {
  const { hands } = studio;
  await hands.choose('Item of personas', 'hype_host');
  await hands.choose('Item of sentiment', 'negative');
  await eventually(async () => {
    expect(await hands.prompt()).toContain('out of crisps');
  });
  const moved = await hands.prompt();
  await hands.keys([Key.CONTROL], '1');
  await eventually(async () => {
    expect(await hands.prompt()).toBe(kept);
  });
  await hands.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await hands.prompt()).toBe(moved);
  });
});

test('compared with now, it tells every setting and word that differs', async () => {
  const { hands } = studio;
  await hands.press('Snapshots');
  await hands.pressWords('Open in Compare');
  await hands.sees('section[aria-label="State"] tbody tr');
  const rows = await hands.lines('section[aria-label="State"] tbody tr');
  expect(
    rows.some(
      (row) => row.includes('personas') && row.includes('deadpan') && row.includes('hype_host'),
    ),
  ).toBe(true);
  expect(rows.some((row) => row.includes('sentiment') && row.includes('negative'))).toBe(true);
  const gone = (await hands.lines('.diff del')).join(' ');
  const come = (await hands.lines('.diff ins')).join(' ');
  expect(gone).toContain('warm');
  expect(come).toContain('crisps');
  await studio.picture('compare');
  await hands.showTab('Prompt');
});

test('a copy is found by its words, exported, deleted and brought back', async () => {
  const { hands } = studio;
  await hands.press('Snapshots');
  await hands.press('Duplicate');
  await eventually(() => {
    expect(listed().filter(({ note }) => note === 'before the late crowd')).toHaveLength(2);
  });
  await hands.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(async () => {
    expect(await names()).toHaveLength(3);
  });
  await hands.type('Find a snapshot', 'late crowd');
  await eventually(async () => {
    expect(await names()).toHaveLength(2);
  });
  await hands.pressRow('#snapshots [role=option][tabindex="-1"]');
  const before = listed();

  // What it says is there for some seconds only; it says so once it is done.
  await hands.press('Delete');
  await hands.takeUp('Deleted', 'Undo');
  await eventually(() => {
    expect(listed()).toEqual(before);
  });

  const path = join(home.folder, 'late.json');
  await hands.press('Export');
  await studio.choose('Export model JSON', path);
  await eventually(() => {
    expect(existsSync(path)).toBe(true);
  });
  const one = listed().find(({ name }) => name === 'warm room')!;
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
    JSON.parse(promptdeck(['snapshot', 'export', String(one.id)], home.env)),
  );
});
