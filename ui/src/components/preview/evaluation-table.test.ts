// The table of what is selected and what is used: its rows can be folded away, and stay so.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

test('the rows fold away, what was rolled can still be locked, and the choice is stored', async () => {
  const { fake, screen } = await openStudio(guides());
  const toggle = await screen.findByRole('button', { name: /^Selected vs evaluated/ });
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('columnheader', { name: 'Used' })).toBeTruthy();
  await fireEvent.click(toggle);
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('columnheader', { name: 'Used' })).toBeNull();
  expect(screen.getByRole('button', { name: /^Lock all/ })).toBeTruthy();
  const stored = () =>
    fake.calls
      .filter(({ name }) => name === 'saveSettings')
      .map(({ args }) => (args[0] as { evaluation_open: boolean }).evaluation_open);
  await expect.poll(stored).toEqual([false]);
});
