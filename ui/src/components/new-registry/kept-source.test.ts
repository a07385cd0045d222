// What was written in New registry is there again when the dialog was closed, and is thrown away by no press.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { argumentsOf, dialogOf, paste, openSplit, borders } from '../../testing/new-registry';
import { key, openStudio } from '../../testing/studio';

test('Ctrl+I begins in the field; a press beside the dialog throws no text away', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await dialogOf(studio);
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await expect.poll(() => document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: 'Be kind.' } });
  await fireEvent.pointerDown(dialog);
  expect(field.isConnected && field.value).toBe('Be kind.');
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Split into sections' }));
  await within(dialog).findByText(/^Prints the same/);
  // The text comes back for a change.
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Replace' }));
  const again = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(again.value).toBe('Be kind.');
  await expect.poll(() => document.activeElement).toBe(again);
  await fireEvent.input(again, { target: { value: '' } });
  await fireEvent.pointerDown(dialog);
  expect(studio.screen.queryByRole('dialog')).toBeNull();
});

test('a text that could not be read is in its field again, which has the focus', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.damaged = true;
  await paste('{"reg');
  const dialog = await dialogOf(studio);
  await within(dialog).findByRole('button', { name: 'Replace' });
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const again = within(await dialogOf(studio));
  const field = again.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(field.value).toBe('{"reg');
  await expect.poll(() => document.activeElement).toBe(field);
});

test('a prompt and its split are there again when the dialog was closed', async () => {
  const { dialog, screen, fake } = await openSplit();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.focus();
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['3', '6']);
  await fireEvent.input(within(dialog).getByRole('textbox', { name: 'File name' }), {
    target: { value: 'mine.json' },
  });
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await fireEvent.click(screen.getAllByRole('button', { name: /^Registry/ })[0]!);
  await fireEvent.click(await screen.findByRole('button', { name: 'New' }));
  const again = await screen.findByRole('dialog', { name: 'New registry' });
  expect(borders(again)).toEqual(['3', '6']);
  const name = within(again).getByRole<HTMLInputElement>('textbox', { name: 'File name' });
  expect(name.value).toBe('mine.json');
  await fireEvent.click(within(again).getByRole('button', { name: /^Undo the last change/ }));
  await expect.poll(() => borders(again)).toEqual(['4', '6']);
  // A deck from a starter leaves the import; a deck from the import takes it.
  await fireEvent.click(within(again).getByRole('radio', { name: /^Persona\./ }));
  await fireEvent.click(within(again).getByRole('button', { name: 'Create deck' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const third = await screen.findByRole('dialog', { name: 'New registry' });
  expect(borders(third)).toEqual(['4', '6']);
  const create = within(third).getByRole('button', { name: 'Create deck' });
  await expect.poll(() => create.hasAttribute('disabled')).toBe(false);
  await fireEvent.click(create);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(argumentsOf({ fake }, 'newRegistry').at(-1)?.[0]).toMatchObject({ kind: 'source' });
  key('i', { ctrlKey: true });
  const empty = await screen.findByRole('dialog', { name: 'New registry' });
  expect(within(empty).queryAllByRole('separator')).toEqual([]);
  const field = within(empty).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(field.value).toBe('');
});

test('a prompt that was left before says so, Enter makes no deck of it, and it can be put away', async () => {
  const studio = await openStudio(guides());
  const { screen, fake } = studio;
  await fireEvent.paste(document.body, {
    clipboardData: { files: [], getData: () => 'One.\n\nTwo.' },
  });
  const dialog = await screen.findByRole('dialog', { name: 'New registry' });
  const create = () => screen.getByRole('button', { name: 'Create deck' });
  await expect.poll(() => document.activeElement).toBe(create());
  const left = /no deck was created from it/;
  expect(screen.queryByText(left)).toBeNull();
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  expect(await screen.findByText(left)).toBeTruthy();
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('Cancel');
  await fireEvent.click(screen.getByRole('button', { name: 'Start empty' }));
  expect(screen.queryByText(left)).toBeNull();
  key('i', { ctrlKey: true });
  expect(screen.getByRole('dialog').querySelector('[role="separator"]')).toBeNull();
  expect(fake.calls.filter(({ name }) => name === 'newRegistry')).toEqual([]);
});

test('typed text is there again when the dialog was closed', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await dialogOf(studio);
  const field = within(dialog).getByRole('textbox', { name: 'Prompt' });
  await fireEvent.input(field, { target: { value: 'Be kind.' } });
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const again = within(await dialogOf(studio)).getByRole('textbox', { name: 'Prompt' });
  expect((again as HTMLTextAreaElement).value).toBe('Be kind.');
});

test('Esc ends a rename or a selection before it closes the dialog', async () => {
  const { dialog } = await openSplit();
  const cancel = () => fireEvent(dialog, new Event('cancel', { cancelable: true }));
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Rename part_2' }));
  const field = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  await fireEvent.keyDown(field, { key: 'Escape' });
  // An event that was prevented is answered with false.
  expect(await cancel()).toBe(false);
  expect(within(dialog).queryByRole('textbox', { name: 'Name of part_2' })).toBeNull();
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  getSelection()?.selectAllChildren(line);
  expect(await fireEvent.keyDown(line, { key: 'Escape' })).toBe(false);
  expect(await cancel()).toBe(false);
  expect(getSelection()?.isCollapsed).toBe(true);
  expect(await fireEvent.keyDown(line, { key: 'Escape' })).toBe(true);
  expect(await cancel()).toBe(true);
});
