// The import of a registry through the window: chosen, dropped, pasted, refused, reported.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const registry = '{"version": 2, "assembly_order": []}';
const file = (bytes: BlobPart, name = 'old.json') => new File([bytes], name);
const asked = (fake: Awaited<ReturnType<typeof openStudio>>['fake']) =>
  fake.calls.filter(({ name }) => name === 'importRegistry').map(({ args }) => args);

test('Ctrl+I opens the dialog, pasted text is imported and the report is shown', async () => {
  const { fake, screen } = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  const run = within(dialog).getByRole('button', { name: 'Import' });
  expect(run.hasAttribute('disabled')).toBe(true);
  const field = within(dialog).getByRole('textbox', { name: 'Registry as JSON' });
  await fireEvent.input(field, { target: { value: registry } });
  await fireEvent.click(run);
  const report = await screen.findByRole('dialog', { name: /^Imported as / });
  expect(asked(fake)).toEqual([['Pasted registry', registry]]);
  expect(
    within(report).getByText('1 difference can change the prompt.', { exact: false }),
  ).toBeTruthy();
  expect(within(report).getByText('A text is a heading.')).toBeTruthy();
  expect(within(report).getByText('line 7')).toBeTruthy();
  expect((await axe.run(report)).violations).toEqual([]);
});

test.each([
  ['its title', { title: 'Support Bot' }],
  ['the title of the registry in it', { registry: { title: 'Support Bot' } }],
])('what is pasted is named by %s', async (_what, pasted) => {
  const { fake, screen } = await openStudio(guides());
  const source = JSON.stringify(pasted);
  await fireEvent.paste(document.body, { clipboardData: { getData: () => source } });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Import' }));
  await expect.poll(() => asked(fake)).toEqual([['Support Bot', source]]);
});

test('a file that is dropped on the window is imported at once', async () => {
  const { fake, screen } = await openStudio(guides());
  const dataTransfer = { types: ['Files'], files: [file(registry)] };
  await fireEvent.dragOver(document.body, { dataTransfer });
  expect(screen.getByText('Drop a registry file to import it')).toBeTruthy();
  await fireEvent.drop(document.body, { dataTransfer });
  await screen.findByRole('dialog', { name: /^Imported as / });
  expect(asked(fake)).toEqual([['old.json', registry]]);
});

test('JSON pasted outside a field opens the dialog with it; other text does nothing', async () => {
  const { screen } = await openStudio(guides());
  const clipboardData = { getData: () => 'plain words' };
  await fireEvent.paste(document.body, { clipboardData });
  expect(screen.queryByRole('dialog')).toBeNull();
  await fireEvent.paste(document.body, { clipboardData: { getData: () => registry } });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox');
  expect(field.value).toBe(registry);
});

test('what is refused says why and where, and the text stays', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.failing.set('importRegistry', {
    code: 'syntax',
    // As the service says it: with its place.
    message: 'older.json: line 2, column 8: a value is missing',
    line: 2,
    column: 8,
  });
  await fireEvent.drop(document.body, {
    dataTransfer: { types: ['Files'], files: [file('{"a": }')] },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  expect(await within(dialog).findByText(/a value is missing/)).toBeTruthy();
  expect(dialog.textContent?.match(/column 8/g)).toHaveLength(1);
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('{"a": }');
});

test('a file that is no text never reaches the service', async () => {
  const { fake, screen } = await openStudio(guides());
  const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
  await fireEvent.drop(document.body, {
    dataTransfer: { types: ['Files'], files: [file(bytes)] },
  });
  expect(await screen.findByText(/old\.json is not UTF-8 text/)).toBeTruthy();
  expect(asked(fake)).toEqual([]);
});

test('what the window is told of a dropped file is reported, or why it is no registry', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.emit({ kind: 'dragged', over: true });
  expect(await screen.findByText('Drop a registry file to import it')).toBeTruthy();
  await fireEvent.dragOver(document.body, {
    dataTransfer: { types: ['text/uri-list'], files: [] },
  });
  expect(screen.queryByText('Drop a registry file to import it')).toBeTruthy();
  fake.emit({ kind: 'dragged', over: false });
  await expect.poll(() => screen.queryByText('Drop a registry file to import it')).toBeNull();
  const problem = { code: 'syntax', message: 'words.txt: line 1, column 1: a value is missing' };
  fake.emit({ kind: 'dropped', imported: null, problem: { ...problem, line: 1, column: 1 } });
  const refused = await screen.findByRole('dialog', { name: 'Import a registry' });
  expect(refused.textContent).toContain('a value is missing');
  fake.emit({
    kind: 'dropped',
    imported: { file: 'scene.json', dialect: 'eight', lines: [] },
    problem: null,
  });
  await screen.findByRole('dialog', { name: 'Imported as scene.json' });
});

test.each(['text/uri-list', 'text/plain'])(
  'the page stays where it is when something of %s is dropped',
  async (type) => {
    await openStudio(guides());
    const dataTransfer = { types: [type], files: [] };
    // An event that was not prevented is answered with true.
    expect(await fireEvent.dragOver(document.body, { dataTransfer })).toBe(false);
    expect(await fireEvent.drop(document.body, { dataTransfer })).toBe(false);
  },
);

test('the import begins in its field, and a press beside it throws no text away', async () => {
  const { screen } = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox');
  await expect.poll(() => document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: registry } });
  await fireEvent.pointerDown(dialog);
  expect(field.isConnected && field.value).toBe(registry);
  await fireEvent.input(field, { target: { value: '' } });
  await fireEvent.pointerDown(dialog);
  expect(screen.queryByRole('dialog', { name: 'Import a registry' })).toBeNull();
});

test('a registry of Promptdeck opens without a report', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.dialect = 'canonical';
  await fireEvent.paste(document.body, { clipboardData: { getData: () => registry } });
  const dialog = await screen.findByRole('dialog', { name: 'Import a registry' });
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Import' }));
  expect(await screen.findByText(/^Imported as /)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});
