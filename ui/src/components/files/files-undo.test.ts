// Undoing what was done to files, over a fake service.
import { fireEvent } from '@testing-library/svelte';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OFFERED_FOR } from '$lib/state/notices.svelte';
import { focused, openFiles, rename, row, rows } from '../../testing/open-files';
import { asked } from '../../testing/open-talk';
import { key } from '../../testing/studio';

test('a rename and a move are undone with the old title, name and folder', async () => {
  const { fake, panel, screen } = await openFiles();
  await rename(panel, 'Big Bell');
  expect(await panel.findByText('is now named Big Bell')).toBeTruthy();
  await fireEvent.click(panel.getByRole('button', { name: /^Undo/ }));
  await expect.poll(focused).toBe('b.json');
  expect(asked(fake, 'renameRegistry').at(-1)).toEqual(['big_bell.json', 'Bell ringer', 'b.json']);
  expect(panel.queryByText('is now named Big Bell')).toBeNull();
  await fireEvent.click(panel.getByRole('button', { name: 'Bell ringer actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to finals' }));
  expect(await panel.findByText('is now in finals')).toBeTruthy();
  await expect.poll(focused).toBe('finals/b.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
  expect(asked(fake, 'undo'), 'the document is left alone').toEqual([]);
});

test('an undo that is refused says why and can be repeated', async () => {
  const { fake, panel } = await openFiles();
  await rename(panel, 'Big Bell');
  await expect.poll(focused).toBe('big_bell.json');
  fake.failing.set('renameRegistry', { code: 'name_taken', message: 'b.json already exists' });
  key('z', { ctrlKey: true });
  expect(await panel.findByText(/already exists/)).toBeTruthy();
  fake.failing.delete('renameRegistry');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
});

test('an action that is not undone does not block those before it, and is tried again after them', async () => {
  const { fake, panel } = await openFiles();
  await rename(panel, 'Big Bell');
  await expect.poll(focused).toBe('big_bell.json');
  key('Delete');
  await panel.findByText('is in the trash');
  await expect.poll(focused).toBe('finals/last.json');
  // Another program takes the name.
  const theirs = fake.files.entry('big_bell.json', 'Theirs');
  fake.files.entries = [...fake.files.entries, theirs];
  key('z', { ctrlKey: true });
  expect(await panel.findByText(/already exists/)).toBeTruthy();
  expect(panel.getByText('is now named Big Bell')).toBeTruthy();
  key('z', { ctrlKey: true });
  expect(await panel.findByText('is in the trash')).toBeTruthy();
  fake.files.entries = fake.files.entries.filter((each) => each.title !== 'Theirs');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('big_bell.json');
  expect(panel.queryByText('is in the trash')).toBeNull();
});

test('two deletions with a copy between them are undone', async () => {
  const { fake, panel } = await openFiles();
  const before = rows();
  row('b.json').focus();
  key('Delete');
  await panel.findByText('is in the trash');
  await expect.poll(focused).toBe('a.json');
  key('d', { ctrlKey: true });
  await panel.findByText('was copied to a_copy.json');
  await expect.poll(focused).toBe('a_copy.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('a.json');
  key('Delete');
  await expect.poll(rows).not.toContain('a.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('a.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
  expect(rows().toSorted()).toEqual(before.toSorted());
  expect(asked(fake, 'restoreRegistry')).toEqual([[3], [1]]);
});

test('actions on files are undone one after the other, a copy too, until nothing is left', async () => {
  const { fake, panel, screen } = await openFiles();
  await rename(panel, 'Big Bell');
  await expect.poll(focused).toBe('big_bell.json');
  key('d', { ctrlKey: true });
  expect(await panel.findByText('was copied to big_bell_copy.json')).toBeTruthy();
  await expect.poll(focused).toBe('big_bell_copy.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('big_bell.json');
  expect(asked(fake, 'deleteRegistry')).toEqual([['big_bell_copy.json']]);
  expect(panel.getByText('is now named Big Bell')).toBeTruthy();
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
  key('z', { ctrlKey: true });
  expect(await screen.findByText('No action on files to undo.')).toBeTruthy();
  expect(asked(fake, 'undo'), 'the document is left alone').toEqual([]);
});

test('a sub-folder that was made or copied goes again', async () => {
  const { fake, panel } = await openFiles();
  await fireEvent.click(panel.getByRole('button', { name: 'New folder' }));
  const field = panel.getByRole('textbox', { name: 'Name of the new folder' });
  await fireEvent.input(field, { target: { value: 'drafts' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.getAttribute('data-folder')).toBe('drafts');
  key('d', { ctrlKey: true });
  await expect.poll(() => fake.files.folders).toEqual(['finals', 'drafts', 'drafts copy']);
  await panel.findByText('was copied to drafts copy');
  key('z', { ctrlKey: true });
  await expect.poll(() => fake.files.folders).toEqual(['finals', 'drafts']);
  await panel.findByText('was created');
  await expect.poll(() => document.activeElement?.getAttribute('data-folder')).toBe('drafts');
  key('z', { ctrlKey: true });
  await expect.poll(() => fake.files.folders).toEqual(['finals']);
});

test('a new sub-folder that others put a file into stays, and the list says what is in it', async () => {
  const { fake, panel } = await openFiles();
  await fireEvent.click(panel.getByRole('button', { name: 'New folder' }));
  const field = panel.getByRole('textbox', { name: 'Name of the new folder' });
  await fireEvent.input(field, { target: { value: 'drafts' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.getAttribute('data-folder')).toBe('drafts');
  fake.files.entries = [...fake.files.entries, fake.files.entry('drafts/theirs.json', 'Theirs')];
  key('z', { ctrlKey: true });
  await panel.findByText('The folder drafts is not removed: it holds drafts/theirs.json', {
    exact: false,
  });
  expect(fake.files.folders).toEqual(['finals', 'drafts']);
});

test('a row that an undo brings back has the focus, also where no other was left', async () => {
  const { panel, screen } = await openFiles();
  await fireEvent.input(panel.getByRole('textbox', { name: 'Filter registries' }), {
    target: { value: 'bell' },
  });
  await expect.poll(rows).toEqual(['b.json']);
  row('b.json').focus();
  key('Delete');
  await expect.poll(rows).toEqual([]);
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('dialog'));
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
});

test('a deleted registry can be restored, also after the panel was closed', async () => {
  const { fake, panel, screen } = await openFiles();
  row('b.json').focus();
  key('Delete');
  expect(await panel.findByText('is in the trash')).toBeTruthy();
  await expect.poll(focused).toBe('a.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
  expect(asked(fake, 'restoreRegistry')).toEqual([[1]]);
  expect(asked(fake, 'undo'), 'the document is left alone').toEqual([]);
  key('Delete');
  await panel.findByText('is in the trash');
  await expect.poll(focused).toBe('a.json');
  key('Escape');
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  await screen.findByText('is in the trash');
  await expect.poll(focused).toBe('guides.json');
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('b.json');
  expect(asked(fake, 'restoreRegistry')).toEqual([[1], [2]]);
  expect(screen.queryByText('is in the trash')).toBeNull();
});

test('after the open registry is deleted none is open, and undo opens it again', async () => {
  const { fake, screen } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('Delete');
  await screen.findByText('Guides is in the trash');
  expect(screen.queryByRole('heading', { name: 'Deck' })).toBeNull();
  key('z', { ctrlKey: true });
  await screen.findByTitle('Registry guides.json');
  expect(asked(fake, 'restoreRegistry')).toEqual([[1]]);
  expect(asked(fake, 'open'), 'no other was opened').toEqual([['guides.json']]);
});

test('a deleted registry that was open can be restored once the panel is closed', async () => {
  const { screen } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('Delete');
  await screen.findByText('Guides is in the trash');
  key('Escape');
  await fireEvent.click(await screen.findByRole('button', { name: 'Restore Guides' }));
  await screen.findByTitle('Registry guides.json');
});

test('the offer to undo goes when something else is done, and is made again before it is used', async () => {
  const { fake, panel, screen } = await openFiles();
  const filter = panel.getByRole('textbox', { name: 'Filter registries' });
  await fireEvent.input(filter, { target: { value: 'bell' } });
  await rename(panel, 'Big Bell');
  const words = 'is now named Big Bell';
  await panel.findByText(words);
  await expect.poll(focused).toBe('big_bell.json');
  expect(panel.getByText(words), 'the filter was there before').toBeTruthy();
  await fireEvent.input(filter, { target: { value: '' } });
  // A field that is opened for another name.
  row('a.json').focus();
  key('F2');
  const field = await panel.findByRole('textbox', { name: 'New title of Answers' });
  expect(panel.queryByText(words)).toBeNull();
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(focused).toBe('a.json');
  // The first key shows what would be undone.
  key('z', { ctrlKey: true });
  await panel.findByText(words);
  expect(asked(fake, 'renameRegistry')).toHaveLength(1);
  // Another registry is opened.
  key('Enter');
  await screen.findByTitle('Registry a.json');
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  await screen.findByText('Big Bell');
  expect(screen.queryByText(words)).toBeNull();
  // The palette can undo it without the list.
  key('Escape');
  key('k', { ctrlKey: true });
  const commands = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(commands, { target: { value: 'undo bell' } });
  const undo = () =>
    screen
      .queryAllByRole('option')
      .find((each) => each.textContent?.includes(`Undo: Bell ringer ${words}`));
  await expect.poll(undo).toBeTruthy();
  await fireEvent.click(undo()!);
  await expect
    .poll(() => asked(fake, 'renameRegistry').at(-1))
    .toEqual(['big_bell.json', 'Bell ringer', 'b.json']);
});

test('the offer to undo goes after a while, unless the pointer is on it', async () => {
  const { panel } = await openFiles();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  row('b.json').focus();
  key('d', { ctrlKey: true });
  const words = 'was copied to b_copy.json';
  await vi.waitFor(() => panel.getByText(words));
  const bar = panel.getByText(words).closest('.undo')!;
  await fireEvent.pointerEnter(bar);
  await vi.advanceTimersByTimeAsync(OFFERED_FOR + 100);
  expect(panel.getByText(words)).toBeTruthy();
  await fireEvent.pointerLeave(bar);
  await vi.advanceTimersByTimeAsync(OFFERED_FOR + 100);
  expect(panel.queryByText(words)).toBeNull();
});
