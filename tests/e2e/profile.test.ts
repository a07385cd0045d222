// The profile of the rolls, by mouse and keyboard at the display: every figure on the screen is the
// one that the command line prints for the same state and seed.
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { promptdeck } from './programs';
import { Home, Studio } from './studio';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';
const BARS = '[data-block="lengths"] [data-bar]';

opens(['Trivia Host', FILE]);

interface Lengths {
  min: number;
  max: number;
  p5: number;
  median: number;
  p95: number;
  bars: { from: number; to: number; rolls: number }[];
  over_budget: { rolls: number; share: number } | null;
}

interface Report {
  tokens: Lengths;
  coverage: {
    section: string;
    rows: { kind: string; label: string; rolls: number; share: number; chance: number | null }[];
  }[];
  prefix: { all: { tokens: number }; most: { tokens: number }; half: { tokens: number } };
  sameness: { texts: { estimate: number } };
}

/** What the command line says of the sample that the window shows. */
const report = (seed: string, ...more: string[]): Report => {
  const file = join(home.registries, FILE);
  const args = [
    'profile',
    file,
    '--rolls',
    '2000',
    '--seed',
    seed,
    '--format',
    'json',
    '--tokenizer',
    'o200k_base',
    ...more,
  ];
  return JSON.parse(promptdeck(args, home.env)) as Report;
};

const number = new Intl.NumberFormat('en');
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

let seed = '';

beforeAll(async () => {
  seed = await studio.page.read('Seed');
  await studio.page.showTab('Variants');
  await studio.page.sees(BARS);
});

test('the lengths, the coverage and the stable prefix are those of the command line', async () => {
  const { page } = studio;
  const expected = report(seed);
  const bars = expected.tokens.bars.map(({ from, to, rolls }) => {
    const range =
      from === to ? number.format(from) : `${number.format(from)} to ${number.format(to)}`;
    return `${range} tokens: ${number.format(rolls)} ${rolls === 1 ? 'roll' : 'rolls'}, ${percent(rolls / 2000)}`;
  });
  expect(await page.all(BARS, 'aria-label')).toEqual(bars);
  const facts = words(await page.content('[data-facts="lengths"]'));
  expect(facts).toContain(`${String(expected.tokens.min)} shortest`);
  expect(facts).toContain(`${String(expected.tokens.max)} longest`);
  const marks = await page.lines('[data-block="lengths"] .marks > text');
  expect(marks).toContain(`median ${String(expected.tokens.median)}`);

  const { all, most, half } = expected.prefix;
  expect(words(await page.content('[data-facts="prefix"]'))).toMatch(
    new RegExp(
      `^${String(all.tokens)} shared by all ?${String(most.tokens)} by 95 % ?${String(half.tokens)} by half`,
    ),
  );
  expect(await page.content('[data-texts]')).toBe(
    `${number.format(expected.sameness.texts.estimate)} distinct texts`,
  );

  const items = expected.coverage.flatMap(({ section, rows }) =>
    rows
      .filter(({ kind, rolls }) => kind === 'item' && rolls > 0)
      .map((row) => ({ ...row, name: `${section}.${row.label}` })),
  );
  expect(items.length).toBeGreaterThan(5);
  const more = '[data-block="coverage"] .end button';
  if ((await page.count(more)) > 0) await page.pressRow(more);
  for (const { name, share, chance, rolls } of items) {
    const cells = await page.lines(`[data-row="${name}"] > td:nth-child(n + 3)`);
    const odds = chance === null ? '–' : percent(chance);
    expect([name, ...cells]).toEqual([name, percent(share), odds, number.format(rolls)]);
  }
});

test('a budget shows the share over it', async () => {
  const { page, pointer } = studio;
  const budget = report(seed).tokens.median;
  await pointer.click('[data-block="lengths"] input');
  pointer.type(String(budget));
  const { over_budget: over } = report(seed, '--budget', String(budget)).tokens;
  await eventually(async () => {
    expect(words(await page.content('[data-facts="lengths"]'))).toContain(
      `${percent(over?.share ?? 0)} over ${String(budget)} ${number.format(over?.rolls ?? 0)} of 2,000 rolls`,
    );
  });
});

test('a bar that is pointed at tells its range; chosen, it lists its rolls, of which one is opened', async () => {
  const { page, pointer } = studio;
  const { bars } = report(seed).tokens;
  const bar = bars.toSorted((one, other) => one.rolls - other.rolls).find(({ rolls }) => rolls > 3);
  if (!bar) throw new Error('no bar has several rolls');
  const mark = `[data-bar="${String(bar.from)}-${String(bar.to)}"]`;
  await pointer.hover(mark);
  await eventually(async () => {
    expect(await page.lines('[data-block="lengths"] .label text')).toContain(
      `${number.format(bar.rolls)} rolls`,
    );
  });
  await pointer.click(mark);
  await eventually(async () => {
    expect(await page.all(mark, 'aria-pressed')).toEqual(['true']);
    expect(await page.count('.variant')).toBe(Math.min(bar.rolls, 60));
  });
  const tokens = (await page.lines('.variant > span:nth-child(2)')).map(Number);
  for (const length of tokens) {
    expect(length).toBeGreaterThanOrEqual(bar.from);
    expect(length).toBeLessThanOrEqual(bar.to);
  }
  // The first of them are in sight, although the bar is far above.
  await eventually(async () => {
    const inSight = await studio.window.executeScript<boolean>(
      `const row = document.querySelector('.variant:nth-child(2)').getBoundingClientRect();
       return row.bottom <= document.querySelector('[role=tabpanel]').getBoundingClientRect().bottom;`,
    );
    expect(inSight).toBe(true);
  });
  for (const theme of ['light', 'dark']) {
    await page.setTheme(theme);
    await pointer.park();
    await studio.picture(`profile-chosen-${theme}`);
  }

  const [opened = ''] = await page.all('.variant:nth-child(2) .seed [title]', 'title');
  await pointer.click('.variant:nth-child(2)', { x: 0.5 });
  await eventually(async () => {
    expect(await page.read('Seed')).toBe(opened);
    expect(await page.all('.variant:nth-child(2)', 'aria-current')).toEqual(['true']);
  });
  // The sample stays the one in which the roll was chosen.
  expect(await page.all(mark, 'aria-pressed')).toEqual(['true']);
});

test('arrows step through the bars, Enter chooses and Escape clears', async () => {
  const { page, pointer } = studio;
  await pointer.click('[data-block="lengths"] [data-bar][aria-pressed="true"]');
  const [first, second] = await page.all(BARS, 'aria-label');
  pointer.key('Home');
  await eventually(async () => {
    expect(await page.focused()).toBe(first);
  });
  pointer.key('Right');
  await eventually(async () => {
    expect(await page.focused()).toBe(second);
  });
  pointer.key('Return');
  await eventually(async () => {
    expect(await page.count(`${BARS}[aria-pressed="true"]`)).toBe(1);
  });
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.count(`${BARS}[aria-pressed="true"]`)).toBe(0);
    expect(await page.focused()).toBe(second);
  });
});

test('a large sample shows how far it is and can be stopped', async () => {
  const { page } = studio;
  await page.choose('Rolls in the sample', '1,000,000');
  await page.sees('[data-progress]');
  await page.pressWords('Stop');
  await eventually(async () => {
    expect(await page.source()).toMatch(/stopped after [\d,]+ rolls/);
  });
  await page.choose('Rolls in the sample', '2,000');
  await eventually(async () => {
    expect(await page.source()).not.toMatch(/stopped after [\d,]+ rolls/);
  });
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 800, height: 700 },
];

test.each(sizes)('pictures at $width x $height, where nothing sticks out', async (size) => {
  const home = new Home();
  const opened = await Studio.open(home, size);
  try {
    const { page } = opened;
    const narrow = size.width < 1100;
    if (narrow) {
      // It shows the deck first, without a prompt to wait for.
      await page.open('Registry');
      await page.pressRow(`[data-file="${FILE}"] .name`);
      await page.sees('button[aria-label^="Registry: Trivia Host"]');
      await page.pressIn('Column', 'Preview');
    } else await page.openRegistry('Trivia Host', FILE);
    await page.showTab('Variants');
    await page.sees(BARS);
    for (const wide of narrow ? [false] : [false, true]) {
      if (wide) await page.press('Wide');
      for (const theme of ['light', 'dark']) {
        await page.setTheme(theme);
        await page.pointerAway();
        await opened.picture(`profile${wide ? '-wide' : ''}-${theme}-${String(size.width)}`);
      }
      const out = await opened.window.executeScript<string[]>(
        `const panel = document.querySelector('[role=tabpanel]').getBoundingClientRect();
         return [...document.querySelectorAll('[role=tabpanel] :is(section, header, table, svg, li, button)')]
           .filter((each) => each.getBoundingClientRect().right > panel.right + 1)
           .map((each) => each.outerHTML.slice(0, 120))`,
      );
      expect(out).toEqual([]);
    }
    if (!narrow) await page.press('Wide');
    await page.pressWords('Pairs');
    await page.sees('[data-block="pairs"] table');
    for (const theme of ['light', 'dark']) {
      await page.setTheme(theme);
      await page.pointerAway();
      await opened.picture(`pairs-${theme}-${String(size.width)}`);
    }
  } finally {
    await opened.close();
    await home.remove();
  }
});
