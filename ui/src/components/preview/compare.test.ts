// What the tabs of the preview say in words a reader knows: sizes in tokens, rolled entries by text.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

test('Compare gives the size of both prompts in tokens', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Compare' }));
  const take = screen.queryByRole('button', { name: 'Take snapshot' });
  if (take) await fireEvent.click(take);
  expect(await screen.findByText('3 tokens, then 4')).toBeTruthy();
});

test('Selected vs evaluated shows a rolled entry by its text', async () => {
  const { screen } = await openStudio(guides());
  const rows = screen.getByRole('region', { name: 'Selected vs evaluated' });
  await expect.poll(() => rows.querySelectorAll('.rolled-value').length).toBeGreaterThan(0);
  const picks = [...rows.querySelectorAll('.rolled-value')].map(({ textContent }) =>
    textContent.trim(),
  );
  expect(picks).toContain('Go.');
});
