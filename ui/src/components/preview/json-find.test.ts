// The words that Find finds in the JSON.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

test('Ctrl+F in the JSON marks the words, goes from one to the next, and Esc goes back to the text', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'JSON' }));
  const json = await screen.findByRole('group', { name: 'Canonical model JSON' });
  await expect.poll(() => json.textContent).toContain('"personas"');
  const marked = () => [...json.querySelectorAll('mark')];
  const current = () => marked().findIndex((word) => word.matches('.current'));
  json.focus();
  await fireEvent.keyDown(json, { key: 'f', ctrlKey: true });
  const field = await screen.findByRole('textbox', { name: 'Find in this text' });
  await expect.poll(() => document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: '"PERSONAS' } });
  const found = Number(/\d+/.exec(screen.getByText(/^\d+ matches$/).textContent ?? '')?.[0]);
  expect(found).toBeGreaterThan(1);
  expect(marked().map((word) => word.textContent?.toLowerCase())).toEqual(
    Array(found).fill('"personas'),
  );
  expect(current()).toBe(-1);
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(await screen.findByText(`1 of ${found}`)).toBeTruthy();
  expect(current()).toBe(0);
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(await screen.findByText(`2 of ${found}`)).toBeTruthy();
  expect(current()).toBe(1);
  expect(json.querySelectorAll('.current')).toHaveLength(1);
  await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
  await expect.poll(current).toBe(0);
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(() => document.activeElement).toBe(json);
  expect(marked()).toEqual([]);
});
