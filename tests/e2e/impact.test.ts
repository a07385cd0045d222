// What an edit changes in the rolls, by mouse and keyboard at the display: every figure on the screen is
// the one that the command line prints for the same two files and seed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { promptdeck } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';
const SECTION = 'personas';
const ITEM = 'deadpan';
const FIELD = `textarea[aria-label="${SECTION}.${ITEM}.context"]`;
const PILL = '[data-impact]';
const ROWS = '[data-change-row]';

opens(['Trivia Host', FILE]);

interface Occurrences {
  rolls: number;
  share: number;
}

interface Report {
  rolls: number;
  identical: number;
  changed: Occurrences;
  sections: (Occurrences & {
    section: string;
    fields: (Occurrences & { field: string })[];
  })[];
  tokens: { min: number; median: number; max: number; bars: Bar[] };
  budget: { above: Occurrences; below: Occurrences } | null;
  problems: { added: { message: string }[]; removed: { message: string }[] };
  before: { prefix: { all: { tokens: number } } };
  after: { prefix: { all: { tokens: number } } };
  different_changes: { estimate: number };
  changes: { seed: number; rolls: number; before: string; after: string }[];
  diffs: { kind: string; text: string }[][];
}

interface Bar {
  from: number;
  to: number;
  rolls: number;
}

interface Registry {
  registry: Record<string, { items: { id: string; context: string }[] }>;
}

let seed = '';

/** The registry as it is edited in the window, beside its file. */
async function editedFile(): Promise<string> {
  const path = join(home.registries, '..', 'edited.json');
  const file = JSON.parse(readFileSync(join(home.registries, FILE), 'utf8')) as Registry;
  const item = file.registry[SECTION]?.items.find(({ id }) => id === ITEM);
  if (!item) throw new Error('the sample has no such item');
  item.context = await studio.page.read(`${SECTION}.${ITEM}.context`);
  writeFileSync(path, JSON.stringify(file, null, 2));
  return path;
}

/** What the command line says of the edit. */
const report = async (...more: string[]): Promise<Report> => {
  const args = ['impact', join(home.registries, FILE), await editedFile(), '--rolls', '2000'];
  const rest = ['--seed', seed, '--format', 'json', '--tokenizer', 'o200k_base', ...more];
  return JSON.parse(promptdeck([...args, ...rest], home.env)) as Report;
};

const number = new Intl.NumberFormat('en');
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const roughly = (share: number): string => `${String(Math.round(share * 100))} %`;
const signed = (value: number): string =>
  value > 0 ? `+${String(value)}` : value < 0 ? `−${String(-value)}` : '0';
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const tokens = (value: number) => `${signed(value)} ${Math.abs(value) === 1 ? 'token' : 'tokens'}`;
const content = async (selector: string) => words(await studio.page.content(selector));

beforeAll(async () => {
  const { page } = studio;
  seed = await page.read('Seed');
  await page.menu(`${SECTION} actions`, 'Edit items');
  await page.press(`Edit ${ITEM}`);
  await page.sees(FIELD);
});

test('without an edit there is no pill; typed words make one, with the figures of the command line', async () => {
  const { page, pointer } = studio;
  expect(await page.count(PILL)).toBe(0);
  await pointer.click(FIELD);
  pointer.key('ctrl+End');
  pointer.type(' Never rush a guest.');
  await eventually(async () => {
    expect(await page.read(`${SECTION}.${ITEM}.context`)).toMatch(/Never rush a guest\.$/);
    const expected = await report();
    expect(expected.changed.rolls).toBeGreaterThan(100);
    expect(await content(PILL)).toBe(
      `changes ${roughly(expected.changed.share)} of rolls of route default, median ${tokens(expected.tokens.median)}`,
    );
  });
});

test('Ctrl+Shift+I compares every roll with the file, with the figures of the command line', async () => {
  const { page, pointer } = studio;
  pointer.key('ctrl+shift+i');
  await page.sees('[data-impact-title]');
  await eventually(async () => {
    const expected = await report();
    expect(await content('[data-impact-title]')).toBe(
      `${roughly(expected.changed.share)} of 2,000 rolls of route default change, median ${tokens(expected.tokens.median)}`,
    );
  });
  const expected = await report();
  expect(await content('[data-impact-counts]')).toMatch(
    new RegExp(
      `^${number.format(expected.changed.rolls)} changed, ${number.format(expected.identical)} identical\\.`,
    ),
  );
  const rows = expected.sections.flatMap(({ section, fields, ...all }) => [
    { name: section, ...all },
    ...fields.map(({ field, ...part }) => ({ name: `${section}.${field}`, ...part })),
  ]);
  expect(await page.all('[data-impact-row]', 'data-impact-row')).toEqual(
    rows.map(({ name }) => name),
  );
  for (const { name, share, rolls } of rows) {
    const cells = await page.lines(`[data-impact-row="${name}"] > td:nth-child(n + 3)`);
    expect([name, ...cells]).toEqual([name, percent(share), number.format(rolls)]);
  }
  const bars = expected.tokens.bars.map(({ from, to, rolls }) => {
    const range = from === to ? signed(from) : `${signed(from)} to ${signed(to)}`;
    const count = `${number.format(rolls)} ${rolls === 1 ? 'roll' : 'rolls'}`;
    return `${range} tokens: ${count}, ${percent(rolls / expected.changed.rolls)}`;
  });
  expect(await page.all('[data-block="changes"] [data-bar]', 'aria-label')).toEqual(bars);
  const fact = (name: string) => content(`[data-impact-fact="${name}"]`);
  const { before, after, problems } = expected;
  expect(await fact('Shared by all rolls')).toBe(
    `${number.format(before.prefix.all.tokens)} → ${number.format(after.prefix.all.tokens)} tokens`,
  );
  const count = (found: unknown[]) => (found.length === 0 ? 'none' : String(found.length));
  expect(await fact('New problems')).toBe(count(problems.added));
  expect(await fact('Resolved problems')).toBe(count(problems.removed));
  // Tauri asks for its developer tools at this key.
  expect((await page.lines('[role="log"]')).join('')).not.toContain('devtools');
});

test('a budget shows the rolls that cross it', async () => {
  const { pointer } = studio;
  const lengths = JSON.parse(
    promptdeck(
      [
        'profile',
        join(home.registries, FILE),
        ...['--rolls', '2000', '--seed', seed, '--format', 'json', '--tokenizer', 'o200k_base'],
      ],
      home.env,
    ),
  ) as { tokens: { median: number } };
  const budget = String(lengths.tokens.median);
  await pointer.click('[role=tabpanel] input[aria-label="Budget"]');
  pointer.type(budget);
  const { budget: own } = await report('--budget', budget);
  expect(own?.above.rolls).toBeGreaterThan(0);
  await eventually(async () => {
    expect(await content(`[data-impact-fact="Over ${budget} tokens"]`)).toBe(
      `${number.format(own?.above.rolls ?? 0)} now over, ${number.format(own?.below.rolls ?? 0)} no longer`,
    );
  });
});

test('the most different roll is first, shows what differs, and is opened at its seed by Enter', async () => {
  const { page, pointer } = studio;
  const expected = await report();
  const listed = expected.changes.map((change) => String(change.seed));
  expect(await page.all(ROWS, 'data-change-row')).toEqual(listed);
  const rolls = (await page.lines(`${ROWS} > :nth-child(5)`)).map(words);
  expect(rolls).toEqual(expected.changes.map((change) => `× ${number.format(change.rolls)}`));

  // The first row shows its diff without being asked.
  const [diff] = expected.diffs;
  const added = diff?.filter(({ kind }) => kind === 'added').map(({ text }) => text) ?? [];
  await eventually(async () => {
    const insertions = await page.lines('[data-change-row][aria-expanded="true"] ~ .near ins');
    expect(words(insertions.join(''))).toBe(words(added.join('')));
  });
  for (const theme of ['light', 'dark']) {
    await page.setTheme(theme);
    await pointer.park();
    await studio.picture(`impact-${theme}`);
  }
  // Two rows down and back, by the keyboard alone.
  await pointer.click(`${ROWS}[tabindex="0"]`, { x: 0.3 });
  pointer.key('k', 'k', 'k');
  await eventually(async () => {
    expect(await page.focused()).toContain(`Seed ${listed[0] ?? ''},`);
  });
  pointer.key('Return');
  await eventually(async () => {
    expect(await page.read('Seed')).toBe(listed[0]);
  });
  await page.showTab('Prompt');
  await page.showRaw();
  await eventually(async () => {
    expect(await page.prompt()).toBe(expected.changes[0]?.after);
  });
});

test('the sample stays that of the roll that was opened, and the pill leads back to it', async () => {
  const { page, pointer } = studio;
  await pointer.click(PILL);
  await page.sees(ROWS);
  const expected = await report();
  await eventually(async () => {
    expect(await page.all(ROWS, 'data-change-row')).toEqual(
      expected.changes.map((change) => String(change.seed)),
    );
  });
});

test('a large comparison is stopped', async () => {
  const { page, pointer } = studio;
  await page.pressIn('Rolls in the sample', '1,000,000');
  await page.sees('[data-progress]');
  await pointer.click('.going button');
  await eventually(async () => {
    expect(await page.source()).toMatch(/stopped after [\d,]+ rolls/);
  });
  await page.pressIn('Rolls in the sample', '2,000');
});

test('another route of the deck is compared, with the figures of the command line', async () => {
  const { pointer } = studio;
  await pointer.click('button[aria-label^="Left side: "]');
  await pointer.click('[role=option][data-row="Now, route final"]');
  const edited = await editedFile();
  const args = ['impact', edited, edited, '--old-route', 'final', '--rolls', '2000'];
  const rest = ['--seed', seed, '--format', 'json', '--tokenizer', 'o200k_base'];
  const expected = JSON.parse(promptdeck([...args, ...rest], home.env)) as Report;
  await eventually(async () => {
    expect(await content('[data-impact-title]')).toBe(
      `${roughly(expected.changed.share)} of 2,000 rolls change, median ${tokens(expected.tokens.median)}`,
    );
  });
});

test('rolls by pairs are those of the command line', async () => {
  const { page } = studio;
  await page.showTab('Variants');
  await page.sees('[data-block="rolls"]');
  const seedField = await page.read('Seed');
  await page.choose('Sampling', 'Pairwise');
  const args = ['variants', await editedFile(), '--sample', 'pairwise', '--seed', seedField];
  const lines = promptdeck([...args, '--format', 'json'], home.env).split('\n');
  const rolls = lines.map((line) => JSON.parse(line) as { seed: number; text: string });
  await eventually(async () => {
    const titles = await page.all('.variant .chips', 'title');
    expect(titles).toEqual(rolls.slice(0, titles.length).map(({ text }) => text));
    expect(titles.length).toBe(Math.min(rolls.length, 12));
    expect(await content('[data-sampled]')).toMatch(
      new RegExp(`^${number.format(rolls.length)} rolls have all [\\d,]+ pairs of values`),
    );
  });
});

test('saving takes the pill away', async () => {
  const { page, pointer } = studio;
  pointer.key('ctrl+s');
  await eventually(async () => {
    expect(await page.count(PILL)).toBe(0);
  });
});
