// Sub-folders in the panel of files: renamed, duplicated, deleted and restored, by keys and menu.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

async function openFiles() {
  const opened = await openStudio({ ...guides(), others: ['finals/last.json'] });
  const { fake, screen } = opened;
  fake.files.entries = [
    fake.files.entry('guides.json', 'Guides', 30),
    fake.files.entry('finals/last.json', 'Last round', 40),
  ];
  fake.files.folders = ['finals'];
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  const panel = within(await screen.findByRole('dialog', { name: 'Registries' }));
  await panel.findByText('Last round');
  document.querySelector<HTMLElement>('[data-folder="finals"]')?.focus();
  return { ...opened, panel };
}

const rows = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-file], [data-folder]')].map(
    (row) => row.dataset.file ?? `${row.dataset.folder}/`,
  );

test('F2 renames a folder with the files in it, and that is undone', async () => {
  const { panel } = await openFiles();
  key('F2');
  const field = await panel.findByRole('textbox', { name: 'New name of the folder finals' });
  await fireEvent.input(field, { target: { value: 'rounds' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(rows).toEqual(['guides.json', 'rounds/', 'rounds/last.json']);
  expect(await panel.findByText(/is now named rounds/)).toBeTruthy();
  await fireEvent.click(panel.getByRole('button', { name: /^Undo/ }));
  await expect.poll(rows).toEqual(['guides.json', 'finals/', 'finals/last.json']);
});

test('Delete moves a folder to the trash, and Undo takes it out again', async () => {
  const { panel } = await openFiles();
  key('Delete');
  await expect.poll(rows).toEqual(['guides.json']);
  expect(panel.getByText('is in the trash')).toBeTruthy();
  await fireEvent.click(panel.getByRole('button', { name: /^Undo/ }));
  await expect.poll(rows).toEqual(['guides.json', 'finals/', 'finals/last.json']);
});

test('the menu of a folder duplicates and reveals it', async () => {
  const { fake, panel, screen } = await openFiles();
  await fireEvent.click(panel.getByRole('button', { name: 'finals actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Reveal/ }));
  expect(fake.calls.filter(({ name }) => name === 'reveal').at(-1)?.args).toEqual(['finals']);
  await fireEvent.click(panel.getByRole('button', { name: 'finals actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Duplicate/ }));
  await expect.poll(rows).toContain('finals copy/');
});
