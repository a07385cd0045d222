// Rolled entries by the beginning of their text, with their index in the tooltip, in every place.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

test('on the card and in Selected vs evaluated', async () => {
  const { screen } = await openStudio(guides());
  const chips = screen.getAllByTitle(/^Rolled for this evaluation: 0: Go\.$/);
  expect(chips.map((chip) => chip.textContent.trim())).toEqual(['Go.', 'Go.']);
  expect(chips[0]?.closest('[data-card="personas"]')).not.toBeNull();
  expect(chips[1]?.closest('section')?.getAttribute('aria-label')).toBe('Selected vs evaluated');
});

test('on the lock of the card', async () => {
  const { screen } = await openStudio(guides());
  expect(screen.getByRole('button', { name: 'Lock tips Go.' })).toBeTruthy();
});

test('among the variants', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  const chip = await screen.findByText('tips Tip 2.');
  expect(chip.title).toBe('personas.tips:\n2: Tip 2.');
  expect(screen.getByText('pick 2').title).toBe('personas: pick 2');
});

test('in a comparison', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.snapshots = [];
  await fireEvent.click(screen.getByRole('tab', { name: 'Compare' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Take snapshot' }));
  const state = within(await screen.findByRole('region', { name: 'State' }));
  expect((await state.findByText('Go.')).closest('td')?.title).toBe('0: Go.');
});

test('in the palette', async () => {
  const { screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'lock personas tips' } });
  const row = within(screen.getByRole('option', { selected: true }));
  expect(row.getByText('Go.').title).toBe('0: Go.');
});
