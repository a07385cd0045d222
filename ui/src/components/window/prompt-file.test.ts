// The export of a prompt file: the format is chosen, what the file does not say is listed, and the
// file is saved or copied.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const asked = (fake: { calls: { name: string; args: unknown[] }[] }, name: string) =>
  fake.calls.filter((call) => call.name === name).map(({ args }) => args);

test('a prompt file is made in the chosen format, with what it does not say', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.promptFileOmissions = ['the output policy', 'routes: the file has the prompt of one'];
  key('e', { ctrlKey: true, altKey: true });
  const dialog = within(await screen.findByRole('dialog', { name: 'Export a prompt file' }));
  expect(await dialog.findByText('A dotprompt file')).toBeTruthy();
  const source = { kind: 'document', document: 'guides.json', call: null };
  expect(asked(fake, 'promptFile')).toEqual([[source, 'dotprompt']]);
  expect(dialog.getByText('Not in the file: 2 things')).toBeTruthy();
  expect(dialog.getAllByRole('listitem').map((each) => each.textContent)).toEqual(
    fake.promptFileOmissions,
  );
  fake.promptFileOmissions = [];
  await fireEvent.click(dialog.getByRole('radio', { name: 'Prompty' }));
  expect(await dialog.findByText('A prompty file')).toBeTruthy();
  expect(dialog.getByText('The file says all of the deck.')).toBeTruthy();
  await fireEvent.click(dialog.getByRole('button', { name: 'Copy' }));
  await expect.poll(() => asked(fake, 'copy')).toEqual([['A prompty file']]);
});

test('saving says where the file is, and a failure stays in the dialog', async () => {
  const { fake, screen } = await openStudio(guides());
  key('e', { ctrlKey: true, altKey: true });
  const dialog = within(await screen.findByRole('dialog', { name: 'Export a prompt file' }));
  await dialog.findByText('A dotprompt file');
  const save = dialog.getByRole('button', { name: 'Save to a file…' });
  fake.failing.set('exportPromptFile', { code: 'io', message: 'the disk is full' });
  await fireEvent.click(save);
  expect(await dialog.findByText('The disk is full')).toBeTruthy();
  fake.exported = null;
  await fireEvent.click(save);
  await expect.poll(() => asked(fake, 'exportPromptFile')).toHaveLength(2);
  expect(screen.queryByRole('dialog')).toBeTruthy();
  fake.exported = { path: '/home/guides.prompt', kept: null };
  await fireEvent.click(save);
  expect(await screen.findByText('Exported to /home/guides.prompt.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a prompt that cannot be made says why', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.failing.set('promptFile', { code: 'unknown_route', message: 'no route "brief"' });
  key('e', { ctrlKey: true, altKey: true });
  const dialog = within(await screen.findByRole('dialog', { name: 'Export a prompt file' }));
  expect(await dialog.findByText('No route "brief"')).toBeTruthy();
  const save: HTMLButtonElement = dialog.getByRole('button', { name: 'Save to a file…' });
  expect(save.disabled).toBe(true);
});
