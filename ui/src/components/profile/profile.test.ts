// The profile: its plots by mouse and keyboard, its tables, the budget, large samples, and errors.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { ProfileParams } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

async function open(innerWidth = 1440) {
  const opened = await openStudio(guides(), innerWidth);
  const { screen, fake } = opened;
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  await screen.findByRole('region', { name: 'Lengths' });
  const region = (name: string) => within(screen.getByRole('region', { name }));
  const requests = () =>
    fake.calls.flatMap(({ name, args }) =>
      name === 'measureProfile' ? [args[1] as ProfileParams] : [],
    );
  const seeds = () =>
    [...document.querySelectorAll('.variant .seed')].map((each) => each.textContent);
  return { ...opened, region, requests, seeds };
}

const cells = (row: Element | null) =>
  [...(row?.children ?? [])].map((cell) => cell.textContent.trim()).join(' ');

const BAR = '41 tokens: 500 rolls, 25.0 %';

test('the first two thousand rolls are measured from the current seed on', async () => {
  const { region, requests } = await open();
  expect(requests()).toEqual([{ seed: 7, rolls: 2000, budget: null, pair: null }]);
  region('Lengths').getByText('9 of 10 prompts have 40 to 45 tokens');
  region('Stable prefix').getByText('12 tokens are the same in every roll; up to personas');
  region('Stable prefix').getByText('24 distinct texts');
});

test('the terms of the statistics are explained where they stand', async () => {
  const { region } = await open();
  region('Lengths').getByText(/^p5, median, p95: .* are no longer than this/);
  region('Coverage').getByText(/within the interval in 99 of 100 samples/);
  region('Stable prefix').getByText(/^The stable prefix is the text that all prompts begin with/);
});

test('a bar tells its range and count to the pointer and to the keyboard', async () => {
  const { region } = await open();
  const bar = region('Lengths').getByRole('button', { name: BAR });
  expect(region('Lengths').queryByText('500 rolls')).toBeNull();
  await fireEvent.pointerEnter(bar);
  region('Lengths').getByText('500 rolls');
  await fireEvent.pointerLeave(bar);
  expect(region('Lengths').queryByText('500 rolls')).toBeNull();
  bar.focus();
  await region('Lengths').findByText('500 rolls');
  await fireEvent.keyDown(bar, { key: 'ArrowRight' });
  expect(document.activeElement?.getAttribute('aria-label')).toBe('42 tokens: 500 rolls, 25.0 %');
});

test('a chosen bar lists its rolls, and a chosen roll becomes the prompt', async () => {
  const { fake, screen, region, seeds } = await open();
  const bar = region('Lengths').getByRole('button', { name: BAR });
  bar.focus();
  await fireEvent.keyDown(bar, { key: 'Enter' });
  await expect.poll(seeds).toEqual(['8', '12']);
  expect(bar.getAttribute('aria-pressed')).toBe('true');
  region('Rolls').getByText('Rolls of 41 tokens');
  await fireEvent.click(region('Rolls').getByRole('button', { name: 'Show more' }));
  await expect.poll(seeds).toEqual(['8', '12', '16', '20']);
  await fireEvent.click(screen.getByRole('button', { name: 'Use variant of seed 12' }));
  expect(fake.calls.findLast(({ name }) => name === 'useSeed')?.args[1]).toBe(12);
  await expect
    .poll(() => document.querySelector('.variant[aria-current="true"] .seed')?.textContent)
    .toBe('12');
  await fireEvent.keyDown(bar, { key: 'Escape' });
  await expect.poll(() => seeds().length).toBe(12);
});

test('the table of the lengths has the rows of the plot and chooses as it does', async () => {
  const { region, seeds } = await open();
  const as = region('Lengths').getByRole('radiogroup', { name: 'Lengths as' });
  await fireEvent.click(within(as).getByRole('radio', { name: 'Table' }));
  const rows = region('Lengths').getAllByRole('row').slice(1);
  expect(rows.map(cells)).toEqual([
    '40 500 25.0 %',
    '41 500 25.0 %',
    '42 500 25.0 %',
    '43 0 0.0 %',
    '44 0 0.0 %',
    '45 500 25.0 %',
  ]);
  await fireEvent.click(region('Lengths').getByRole('button', { name: 'Rolls of 45 tokens' }));
  await expect.poll(seeds).toEqual(['10', '14']);
});

test('a budget is measured, and what is no budget is refused in one line', async () => {
  const { region, requests } = await open();
  const field = region('Lengths').getByRole('textbox', { name: 'Budget' });
  await fireEvent.input(field, { target: { value: '41' } });
  await expect.poll(() => requests().at(-1)?.budget).toBe(41);
  await region('Lengths').findByText('50.0 % over 41');
  region('Lengths').getByText('1,000 of 2,000 rolls');
  const asked = requests().length;
  await fireEvent.input(field, { target: { value: '4x' } });
  await region('Lengths').findByRole('alert');
  expect(requests().length).toBe(asked);
});

test('coverage begins with what is never printed and why, then the rare rows', async () => {
  const { region, seeds } = await open();
  const table = within(region('Coverage').getByRole('table', { name: 'Coverage' }));
  region('Coverage').getByText('4 of 6 entries are printed, 2 never are');
  const names = table
    .getAllByRole('button')
    .map((each) => each.textContent.trim())
    .slice(0, 5);
  expect(names).toEqual(['long', 'short', 'calm.tips[0]', 'calm', 'brisk']);
  table.getByText('never with what is always chosen');
  table.getByText('slider 1 to 10');
  const calm = table.getByRole('button', { name: 'Rolls that print calm' });
  expect(cells(calm.closest('tr'))).toBe('calm  25.0 % 25.0 % 500');
  await fireEvent.click(calm);
  await expect.poll(seeds).toEqual(['7', '11']);
  region('Rolls').getByText('Rolls with calm');
});

test('the whole row of a coverage lists its rolls, and its button no second time', async () => {
  const { region } = await open();
  const button = region('Coverage').getAllByRole('button', { name: /^Rolls that print/ })[0]!;
  const row = button.closest('tr')!;
  await fireEvent.click(row.querySelector('td.bar')!);
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  await fireEvent.click(button);
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
});

test('the table of the coverage writes out the intervals', async () => {
  const { region } = await open();
  const as = region('Coverage').getByRole('radiogroup', { name: 'Coverage as' });
  await fireEvent.click(within(as).getByRole('radio', { name: 'Table' }));
  // The item, and its text, which has no separate bar.
  expect(region('Coverage').getAllByText('23.0 to 27.0 %').length).toBe(2);
  region('Coverage').getByRole('button', { name: 'Rolls that print slider 3' });
});

test('an edit measures again, and the newest result is shown', async () => {
  const { fake, screen, requests } = await open();
  expect(requests().length).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  await expect.poll(() => requests().length).toBe(2);
  expect(fake.calls.some(({ name }) => name === 'stopProfile')).toBe(false);
});

test('a refusal is one line above the last result', async () => {
  const { fake, screen, region } = await open();
  fake.failing.set('measureProfile', { code: 'hydrate', message: 'there is no route final' });
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  await screen.findByText(/there is no route final/i);
  region('Lengths').getByText('9 of 10 prompts have 40 to 45 tokens');
});

test('a large sample follows the first rolls, shows how far it is, and can be stopped', async () => {
  const { screen, region, requests } = await open();
  await fireEvent.click(screen.getByRole('button', { name: /^Rolls in the sample/ }));
  await fireEvent.click(screen.getByRole('option', { name: '10,000' }));
  await expect.poll(() => requests().map(({ rolls }) => rolls)).toEqual([2000, 2000, 10_000]);
  await screen.findByText('4,000 of 10,000 rolls, 3 s left');
  expect(screen.getByRole('progressbar', { name: 'Measuring' }).ariaValueNow ?? '4000').toBe(
    '4000',
  );
  region('Lengths').getByRole('button', { name: BAR });
  await fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await screen.findByText('stopped after 5,000 rolls');
  region('Lengths').getByRole('button', { name: '41 tokens: 1,250 rolls, 25.0 %' });
});

test('nothing is measured while another tab is open', async () => {
  const { screen, requests } = await open();
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(requests().length).toBe(1);
});

test('pairs are counted on demand; what cannot occur leads to the item that forbids it', async () => {
  const { screen, region, requests, seeds } = await open();
  await fireEvent.click(screen.getByRole('button', { name: 'Pairs' }));
  await screen.findByRole('table', { name: 'Pairs' });
  expect(requests().at(-1)?.pair).toEqual([
    { section: 'personas', slider: false },
    { section: 'personas', slider: true },
  ]);
  await fireEvent.click(region('Pairs').getByRole('button', { name: /^Columns/ }));
  await fireEvent.click(screen.getByRole('option', { name: 'notes' }));
  await expect
    .poll(() => requests().at(-1)?.pair?.[1])
    .toEqual({ section: 'notes', slider: false });
  region('Pairs').getByText('2 of 4 pairs occur, 1 cannot');
  await fireEvent.click(
    region('Pairs').getByRole('button', { name: 'short with calm: 500 rolls, 25.0 %' }),
  );
  region('Rolls').getByText('Rolls with short with calm');
  await expect.poll(seeds).toEqual(['7', '11']);
  region('Pairs').getByText('calm excludes long');
  await fireEvent.click(region('Pairs').getByRole('button', { name: 'Close pairs' }));
  await expect.poll(() => screen.queryByRole('region', { name: 'Pairs' })).toBeNull();
});

test('opening the pairs takes the focus to them, and closing them gives it back', async () => {
  const { screen } = await open();
  const button = () => screen.getByRole('button', { name: 'Pairs' });
  button().focus();
  await fireEvent.click(button());
  const rows = await screen.findByRole('button', { name: /^Rows/ });
  await expect.poll(() => document.activeElement).toBe(rows);
  await fireEvent.click(screen.getByRole('button', { name: 'Close pairs' }));
  await expect.poll(() => document.activeElement).toBe(button());
});

test('the tab opens over the deck and gives the place back', async () => {
  const { screen } = await open();
  await fireEvent.click(screen.getByRole('button', { name: 'Wide' }));
  expect(screen.queryByRole('heading', { name: 'Deck' })).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Wide' }));
  screen.getByRole('heading', { name: 'Deck' });
});

test.each(['Plot', 'Table'])('axe has nothing to say about the %s', async (view) => {
  const { screen, region } = await open();
  await fireEvent.click(screen.getByRole('button', { name: 'Pairs' }));
  await screen.findByRole('table', { name: 'Pairs' });
  for (const name of ['Lengths', 'Coverage', 'Stable prefix']) {
    await fireEvent.click(region(name).getByRole('radio', { name: view }));
  }
  const panel = screen.getByRole('tabpanel');
  const { violations } = await axe.run(panel, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

test('rolls are sampled by pairs, with the number of rolls that takes, and one is used', async () => {
  const { screen, fake } = await open();
  await fireEvent.click(screen.getByRole('button', { name: /^Sampling/ }));
  await fireEvent.click(screen.getByRole('option', { name: 'Pairwise' }));
  await screen.findByText('4 rolls have all 12 pairs of values, 2 more cannot occur');
  expect(document.querySelectorAll('.variant')).toHaveLength(4);
  const [order] = fake.calls.flatMap(({ name, args }) => (name === 'sampleRolls' ? [args[1]] : []));
  expect(order).toMatchObject({ mode: 'pairwise', from: 0, rolls: 12 });
  await fireEvent.click(screen.getByRole('button', { name: 'Use roll 3' }));
  await expect
    .poll(() => fake.calls.find(({ name }) => name === 'useSampled')?.args[1])
    .toMatchObject({ mode: 'pairwise', from: 2, rolls: 1 });
});

test('every evaluation is listed and counted, however many there are', async () => {
  const { screen } = await open();
  await fireEvent.click(screen.getByRole('button', { name: /^Sampling/ }));
  await fireEvent.click(screen.getByRole('option', { name: 'Exhaustive' }));
  await screen.findByText('1.0 × 10^30 evaluations, each once');
  expect(document.querySelector('.variant .seed')?.textContent).toBe('#1');
  expect(screen.queryByRole('button', { name: /^Use roll/ })).toBeNull();
});

test('a sample that is too large is refused in one line', async () => {
  const { screen, fake } = await open();
  const message = 'a sample of pairs takes at most 20000 rolled values';
  fake.failing.set('sampleRolls', { code: 'sample_too_large', message });
  await fireEvent.click(screen.getByRole('button', { name: /^Sampling/ }));
  await fireEvent.click(screen.getByRole('option', { name: 'Pairwise' }));
  await screen.findByText(new RegExp(message, 'i'));
});

test('lists of one name in the factors go by their sections', async () => {
  const { screen, fake } = await openStudio(guides());
  fake.factors = [
    { sections: ['scene'], of: 'items', ways: ['5'] },
    { sections: ['obstacles'], of: 'items', ways: ['10'] },
    { sections: ['turn'], of: 'tips', ways: ['3'] },
  ];
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  const chips = await screen.findByRole('list', { name: 'Factors of the count' });
  expect([...chips.querySelectorAll('.chip')].map(({ textContent }) => textContent)).toEqual([
    'scene.items 5',
    'obstacles.items 10',
    'tips 3',
  ]);
});
