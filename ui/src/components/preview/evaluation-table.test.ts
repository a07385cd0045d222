// The table of what is selected and what is used: its rows can be folded away, and stay so.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { SectionEvaluation } from '$lib/ipc';
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
  await expect.poll(() => stored().at(-1)).toBe(false);
});

test('rolled values that cannot be locked are not counted, and alone lock nothing', async () => {
  const scene = guides();
  const rolled = (tree: Parameters<typeof scene.preview>[0]) => scene.preview(tree).rolled;
  let spared = 1;
  const { fake, screen } = await openStudio({
    ...scene,
    preview: (tree) => ({ ...scene.preview(tree), unlockable: rolled(tree).slice(0, spared) }),
  });
  expect(rolled(fake.tree)).toHaveLength(2);
  expect(screen.getByText('2 rolled', { exact: false })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Lock all 1' })).toBeTruthy();
  spared = 2;
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  const button = await screen.findByRole('button', { name: 'Lock all' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
});

test('a long table shows its first rows, more as it is scrolled, and the rest when asked to', async () => {
  const item = { index: 0, name: 'only' };
  const middle: SectionEvaluation[] = Array.from({ length: 230 }, (_, n) => ({
    section: `part_${n}`,
    selected: [item],
    used: [item],
    origin: 'selection',
    filtered_by: [],
    arrays: [],
  }));
  const scene = guides();
  const { screen } = await openStudio({
    ...scene,
    preview: (tree) => ({ ...scene.preview(tree), sections: { head: 0, middle, tail: 0 } }),
  });
  const rows = () => screen.container.querySelectorAll('.evaluation tbody tr').length;
  await screen.findByRole('button', { name: 'Show 190 more rows' });
  expect(rows()).toBe(41);
  const box = screen.container.querySelector('.evaluation .rows') as HTMLElement;
  const room = { scrollHeight: 1160, clientHeight: 300 };
  for (const [name, value] of Object.entries(room)) Object.defineProperty(box, name, { value });
  box.scrollTop = 400;
  await fireEvent.scroll(box);
  expect(rows(), 'far from the last row').toBe(41);
  box.scrollTop = 600;
  await fireEvent.scroll(box);
  expect(rows(), 'near the last row').toBe(81);
  await fireEvent.click(screen.getByRole('button', { name: 'Show 150 more rows' }));
  expect(rows()).toBe(230);
});
