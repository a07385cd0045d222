// A text that is open in the prompt under a dialog or a panel: the caret is there again when it goes.
import { fireEvent } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import { selectionIn } from '$lib/window/text-offsets';
import { caretTo, openText } from '../../testing/gap-prompt';
import { field, input, openPrompt, openSpot, source } from '../../testing/open-text';
import { key } from '../../testing/studio';

const segments = [
  { text: 'Calm.', source: source('context') },
  { text: '\n' },
  { text: 'Breathe.', source: source('tips', { entry: 0 }) },
];

const dialog = () => document.querySelector('dialog[open]');

test.each([
  ['the keys', 'F1', {}],
  ['the palette', 'k', { ctrlKey: true }],
  ['a new registry', 'i', { ctrlKey: true }],
  ['a prompt file', 'e', { ctrlKey: true, altKey: true }],
])('the caret is where it was after %s', async (_name, name, modifiers) => {
  await openPrompt(segments);
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 3);
  document.dispatchEvent(new Event('selectionchange'));
  key(name, modifiers);
  await expect.poll(dialog).not.toBeNull();
  // A browser gives it the focus.
  dialog()!.querySelector<HTMLElement>('input, button')?.focus();
  getSelection()?.removeAllRanges();
  await fireEvent(dialog()!, new Event('close'));
  await expect.poll(dialog).toBeNull();
  await expect.poll(() => document.activeElement === field()).toBe(true);
  expect(field()!.textContent).toBe('Breathe.');
  await expect.poll(() => selectionIn(field()!)).toEqual({ start: 3, end: 3 });
});

test('the caret is where it was after the panel of snapshots', async () => {
  const { screen } = await openPrompt(segments);
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 3);
  document.dispatchEvent(new Event('selectionchange'));
  key('o', { ctrlKey: true, shiftKey: true });
  const panel = await screen.findByRole('dialog', { name: 'Snapshots' });
  await expect.poll(() => panel.contains(document.activeElement)).toBe(true);
  key('Escape');
  await expect.poll(() => document.activeElement === field()).toBe(true);
  await expect.poll(() => selectionIn(field()!)).toEqual({ start: 3, end: 3 });
});

test('an undo under a panel takes no selection into the open text', async () => {
  const { screen, text } = await openText('Calm.');
  await openSpot('Calm.');
  caretTo(5);
  input('insertText', '!');
  await expect.poll(text).toBe('Calm.!');
  key('o', { ctrlKey: true, shiftKey: true });
  const panel = await screen.findByRole('dialog', { name: 'Snapshots' });
  await expect.poll(() => panel.contains(document.activeElement)).toBe(true);
  // In WebKit a selection gives the focus to the text that it is put into.
  const into = vi.spyOn(Selection.prototype, 'setBaseAndExtent');
  key('z', { ctrlKey: true });
  await expect.poll(text).toBe('Calm.');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(field()!.textContent).toBe('Calm.');
  expect(into).not.toHaveBeenCalled();
  expect(panel.contains(document.activeElement)).toBe(true);
  into.mockRestore();
  key('Escape');
  await expect.poll(() => document.activeElement === field()).toBe(true);
  await expect.poll(() => selectionIn(field()!)).toEqual({ start: 5, end: 5 });
});

test('the text closes when the focus goes elsewhere from a panel', async () => {
  const { screen } = await openPrompt(segments);
  await openSpot('Breathe.');
  key('o', { ctrlKey: true, shiftKey: true });
  const panel = await screen.findByRole('dialog', { name: 'Snapshots' });
  await expect.poll(() => panel.contains(document.activeElement)).toBe(true);
  const seed = screen.getByRole('textbox', { name: 'Seed' });
  await fireEvent.pointerDown(seed);
  seed.focus();
  await expect.poll(field).toBeNull();
  expect(document.activeElement).toBe(seed);
});

test('a caret that the browser puts at the start with the focus is put back', async () => {
  await openPrompt(segments);
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 3);
  document.dispatchEvent(new Event('selectionchange'));
  key('F1');
  await expect.poll(dialog).not.toBeNull();
  dialog()!.querySelector<HTMLElement>('button')?.focus();
  field()!.focus();
  getSelection()?.collapse(field()!.firstChild, 0);
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(() => selectionIn(field()!)).toEqual({ start: 3, end: 3 });
});
