// The list of variants follows the seed, and keeps what was chosen in it in sight.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

async function open() {
  const opened = await openStudio(guides());
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Variants' }));
  const asked = () =>
    opened.fake.calls.flatMap(({ name, args }) => (name === 'rollVariants' ? [args[1]] : []));
  const now = () => document.querySelector('.variant[aria-current="true"] .seed')?.textContent;
  await expect.poll(now).toBe('7');
  return { ...opened, asked, now };
}

test('a variant that is chosen stays in its row, which is marked and has the focus', async () => {
  const { screen, asked, now } = await open();
  const use = screen.getByRole('button', { name: 'Use variant of seed 9' });
  use.focus();
  await fireEvent.click(use);
  await expect.poll(now).toBe('9');
  expect(document.activeElement?.closest('.variant')?.querySelector('.seed')?.textContent).toBe(
    '9',
  );
  await expect.poll(asked).toEqual([7, 7]);
});

test('a seed that is set elsewhere begins a sample of its own', async () => {
  const { screen, asked, now } = await open();
  const field = screen.getByRole('textbox', { name: 'Seed' });
  await fireEvent.input(field, { target: { value: '500' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(now).toBe('500');
  expect(asked().at(-1)).toBe(500);
});
