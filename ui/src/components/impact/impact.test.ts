// The pill in the status bar and the comparison of every roll: what they say, and their keys.
import { fireEvent } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { ImpactParams } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { key, openRegistry, openStudio } from '../../testing/studio';

type Opened = Awaited<ReturnType<typeof openStudio>>;

const PILL = '[data-impact]';

/** Changes the document, so that it differs from its file or, after all, not. */
async function edit({ screen, fake }: Opened, differs = true): Promise<void> {
  fake.impacts.edited = differs;
  const before = fake.calls.filter(({ name }) => name === 'editImpact').length;
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'editImpact').length)
    .toBeGreaterThan(before);
}

const pill = () => document.querySelector<HTMLElement>(PILL);
const words = (element: Element | null | undefined) =>
  element?.textContent.replaceAll(/\s+/g, ' ').trim();
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-change-row]')];
const requests = ({ fake }: Opened): ImpactParams[] =>
  fake.calls.flatMap(({ name, args }) =>
    name === 'measureImpact' ? [args[1] as ImpactParams] : [],
  );

async function openImpact(opened: Opened): Promise<void> {
  await edit(opened);
  key('I', { ctrlKey: true, shiftKey: true });
  await expect.poll(() => rows().length).toBe(2);
}

test('the pill appears with the first edit and says what it changes', async () => {
  const opened = await openStudio(guides());
  expect(pill()).toBeNull();
  await edit(opened);
  await expect.poll(() => words(pill())).toBe('changes 20 % of rolls, median +4 tokens');
  expect(pill()?.title).toContain('400 of 2,000 rolls');
  await edit(opened, false);
  await expect.poll(() => pill()).toBeNull();
});

test('the pill goes when a restored draft is saved without another edit', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.draft = { saved_at: 0, other_window: null, incomplete: false };
  fake.impacts.edited = true;
  await openRegistry(screen, 'other.json');
  await expect.poll(() => pill()).not.toBeNull();
  fake.draft = null;
  fake.impacts.edited = false;
  key('s', { ctrlKey: true });
  await expect.poll(() => pill()).toBeNull();
});

test('the pill says that no roll changes', async () => {
  const opened = await openStudio(guides());
  opened.fake.impacts.share = 0;
  await edit(opened);
  await expect.poll(() => words(pill())).toBe('no roll changes, 2,000 of 2,000 identical');
});

test('a registry with routes says which of them was rolled', async () => {
  const opened = await openStudio(guides());
  opened.fake.impacts.route = 'default';
  opened.fake.impacts.share = 0;
  await edit(opened);
  await expect
    .poll(() => words(pill()))
    .toBe('no roll of route default changes, 2,000 of 2,000 identical');
  await fireEvent.click(pill() as HTMLElement);
  expect(await opened.screen.findByText('No roll of route default changes')).toBeTruthy();
  expect(words(document.querySelector('[data-impact-counts]'))).toMatch(
    /Other routes are not compared\.$/,
  );
  opened.fake.impacts.share = 0.5;
  await edit(opened);
  await expect
    .poll(() => words(document.querySelector('[data-impact-title]')))
    .toBe('50 % of 2,000 rolls of route default change, median +4 tokens');
});

test('a pill that cannot be counted says why', async () => {
  const opened = await openStudio(guides());
  const message = 'deck.json: no route "final" in this registry; it has none';
  opened.fake.failing.set('editImpact', { code: 'unknown_route', message });
  await edit(opened);
  await expect.poll(() => words(pill())).toBe('route not in the saved file');
  expect(pill()?.title).toContain(message);
  opened.fake.failing.set('editImpact', { code: 'unreadable', message: 'deck.json is gone' });
  await edit(opened);
  await expect.poll(() => words(pill())).toBe('changes not compared');
});

test('pressing the pill compares every roll with the file', async () => {
  const opened = await openStudio(guides());
  await edit(opened);
  await expect.poll(() => pill()).not.toBeNull();
  await fireEvent.click(pill() as HTMLElement);
  await expect
    .poll(() => words(document.querySelector('[data-impact-title]')))
    .toBe('20 % of 2,000 rolls change, median +4 tokens');
  expect(requests(opened).at(-1)).toMatchObject({
    before: { kind: 'saved' },
    after: { kind: 'now' },
    rolls: 2000,
  });
  const fact = (name: string) => words(document.querySelector(`[data-impact-fact="${name}"]`));
  expect(fact('Shared by all rolls')).toBe('54 → 50 tokens');
  expect(fact('New problems')).toBe('none');
  expect(fact('Resolved problems')).toBe('1');
  expect(fact('Rolls with a conflict')).toBe('0 → 3');
  expect(words(document.querySelector('[data-impact-row="guides.tips"]'))).toBe('tips 20.0 %400');
});

test('the key opens it, and its rolls are moved through and opened by keys', async () => {
  const opened = await openStudio(guides());
  await openImpact(opened);
  // What differs in the most different one is in sight, with the lines around it.
  await expect.poll(() => words(document.querySelector('.diff'))).toContain('Above. One old');
  expect(words(document.querySelector('.diff'))).not.toContain('Far above');
  const [first, second] = rows();
  expect(first?.getAttribute('aria-expanded')).toBe('true');
  first?.focus();
  key('j');
  expect(document.activeElement).toBe(second);
  key(' ');
  await expect.poll(() => second?.getAttribute('aria-expanded')).toBe('true');
  key('k');
  expect(document.activeElement).toBe(first);
  key('Enter');
  const seed = Number(first?.dataset.changeRow);
  await expect
    .poll(() => opened.fake.calls.find(({ name }) => name === 'useSeed')?.args[1])
    .toBe(seed);
  await expect.poll(() => words(first?.closest('li'))).toContain('now');
  // The sample stays the one that the roll is part of.
  expect(new Set(requests(opened).map((params) => params.seed)).size).toBe(1);
});

test('the plot has a table, and a bar lists its rolls', async () => {
  const opened = await openStudio(guides());
  await openImpact(opened);
  const bar = document.querySelector<HTMLElement>('[data-block="changes"] [data-bar="4-4"]');
  expect(bar?.getAttribute('aria-label')).toBe('+4 tokens: 200 rolls, 50.0 %');
  await fireEvent.click(bar as HTMLElement);
  await expect.poll(() => rows().length).toBe(1);
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
  const cells = [...document.querySelectorAll('[data-block="changes"] tbody tr')].map(words);
  expect(cells[0]).toBe('−120050.0 %');
  expect(cells).toHaveLength(6);
});

test('snapshots that change show their diff, those that no longer load say why', async () => {
  const opened = await openStudio(guides());
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('tab', { name: 'Compare' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Take snapshot' }));
  await openImpact(opened);
  await expect
    .poll(() => words(document.querySelector('[data-snapshot-counts]')))
    .toBe('1 same, 1 changed, 1 no longer loads');
  const block = document.querySelector('[data-block="snapshots"]');
  expect(words(block)).toContain('Round 3 "guides" has no item "calm"');
  await fireEvent.click(screen.getByRole('button', { name: 'Diff of Dry and mean' }));
  expect(block?.querySelector('ins')?.textContent).toBe('more');
});

test('a large comparison shows how far it is and stops', async () => {
  const opened = await openStudio(guides());
  await openImpact(opened);
  const { screen, fake } = opened;
  await fireEvent.click(screen.getByRole('button', { name: /^Rolls in the sample/ }));
  await fireEvent.click(screen.getByRole('option', { name: '10,000' }));
  await expect
    .poll(() => words(document.querySelector('[data-progress]')), { timeout: 3000 })
    .toContain('4,000 of 10,000 rolls');
  await fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await expect.poll(() => document.body.textContent).toContain('stopped after 5,000 rolls');
  expect(fake.calls.some(({ name }) => name === 'stopImpact')).toBe(true);
});

test('an older answer does not replace a newer one', async () => {
  const opened = await openStudio(guides());
  const { fake } = opened;
  await edit(opened);
  await expect.poll(() => pill()).not.toBeNull();
  fake.impacts.share = 0.5;
  await edit(opened);
  fake.impacts.share = 0;
  await edit(opened);
  await expect.poll(() => words(pill())).toContain('no roll changes');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(words(pill())).toContain('no roll changes');
});

test('every roll of another file is compared', async () => {
  const opened = await openStudio(guides());
  await openImpact(opened);
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('button', { name: 'Swap sides' }));
  await expect
    .poll(() => requests(opened).at(-1))
    .toMatchObject({ before: { kind: 'now' }, after: { kind: 'saved' } });
  await fireEvent.click(screen.getByRole('radio', { name: 'One roll' }));
  expect(await screen.findByText('3 tokens, then 4')).toBeTruthy();
});

test.each(['Plot', 'Table'])('axe has nothing to say about the %s', async (view) => {
  const opened = await openStudio(guides());
  await openImpact(opened);
  await fireEvent.click(opened.screen.getByRole('radio', { name: view }));
  const panel = document.querySelector('[role="tabpanel"]');
  const found = await axe.run(panel as HTMLElement, {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
