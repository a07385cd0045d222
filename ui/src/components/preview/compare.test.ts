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

test('routes of the deck are compared, another one than that in use at first', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: Record<string, unknown> };
  tree.registry.routes = { short: { assembly_order: ['personas'] } };
  const { fake, screen } = await openStudio({ ...scene, tree: tree as never });
  const sides = () =>
    fake.calls.filter(({ name }) => name === 'compare').map(({ args }) => args.slice(1, 3));
  await fireEvent.click(screen.getByRole('tab', { name: 'Compare' }));
  await expect
    .poll(() => sides().at(-1))
    .toEqual([{ kind: 'route', route: 'short' }, { kind: 'now' }]);
  await fireEvent.click(screen.getByRole('button', { name: 'Right side: Now' }));
  const names = screen.getAllByRole('option').map(({ textContent }) => textContent.trim());
  expect(names.filter((name) => name.startsWith('Now'))).toEqual([
    'Now',
    'Now, route default',
    'Now, route short',
  ]);
  await fireEvent.click(screen.getByRole('option', { name: 'Now, route default' }));
  await expect.poll(() => sides().at(-1)?.at(1)).toEqual({ kind: 'route', route: null });
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
