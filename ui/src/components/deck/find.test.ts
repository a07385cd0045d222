// Find in the deck: what it leads to is marked and scrolled to, the field keeps the focus.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const here = () => document.querySelector<HTMLElement>('[data-found]');

test('Enter marks the place, scrolls to it and keeps the focus in the field', async () => {
  const scrolled: unknown[] = [];
  Element.prototype.scrollIntoView = function note(options) {
    scrolled.push([this.getAttribute('aria-label'), options]);
  };
  const { screen } = await openStudio(guides());
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'listen' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => here()?.getAttribute('aria-label')).toBe('personas.calm.tips entry 2');
  expect(scrolled).toContainEqual(['personas.calm.tips entry 2', { block: 'center' }]);
  expect(document.activeElement).toBe(field);
  await fireEvent.keyDown(field, { key: 'Escape' });
  expect(here()).toBeNull();
});

test('Ctrl+F brings the deck back where the conversation is in its place', async () => {
  const { screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const palette = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(palette, { target: { value: 'Edit the conversation' } });
  await fireEvent.keyDown(palette, { key: 'Enter' });
  await expect.poll(() => screen.queryByLabelText('Find in deck')).toBeNull();
  key('f', { ctrlKey: true });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
});
