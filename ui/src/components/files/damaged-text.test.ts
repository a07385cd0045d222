// A damaged registry is mended in the window: its fault is read again while the author types, what is
// written is kept, and what another program wrote meanwhile is not overwritten unasked.
import { EditorView } from '@codemirror/view';
import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

// A browser tells of a selection after it is set; the DOM of these tests within that, which the editor
// refuses.
beforeEach(() => {
  vi.spyOn(Selection.prototype, 'collapse').mockImplementation(() => undefined);
  vi.spyOn(Selection.prototype, 'extend').mockImplementation(() => undefined);
});

const asked = (fake: FakeBackend, name: string) =>
  fake.calls.filter((call) => call.name === name).map(({ args }) => args);

async function openList(change: Partial<{ code: string; draft: string }> = {}) {
  const opened = await openStudio(guides());
  const { fake, screen } = opened;
  const { code = 'syntax', draft } = change;
  const problem = { code, message: 'cut.json: line 1, column 7: no', line: 1, column: 7 };
  fake.files.entries = [...fake.files.entries, { ...fake.files.entry('cut.json', 'Cut'), problem }];
  if (draft !== undefined) {
    fake.files.damagedDraft = { text: draft, version: `of ${fake.files.damaged}` };
  }
  fake.emit({ kind: 'workspace_changed' });
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  const list = await screen.findByRole('dialog', { name: 'Registries' });
  await expect.poll(() => list.querySelector('[data-file="cut.json"]')).not.toBeNull();
  await fireEvent.click(list.querySelector('[data-file="cut.json"]')!);
  return { ...opened, list: within(list) };
}

async function openText(draft?: string) {
  const opened = await openList(draft === undefined ? {} : { draft });
  await fireEvent.click(opened.list.getByRole('button', { name: 'Edit the text…' }));
  const dialog = await opened.screen.findByRole('dialog', { name: 'Mend cut.json' });
  const content = () =>
    dialog.querySelector('.editor')?.shadowRoot?.querySelector<HTMLElement>('.cm-content') ?? null;
  await expect.poll(content).not.toBeNull();
  const view = EditorView.findFromDOM(content()!)!;
  const type = (words: string) =>
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: words } });
  return { ...opened, element: dialog, dialog: within(dialog), view, type };
}

const enabled = (button: HTMLElement) => !(button as HTMLButtonElement).disabled;

test('the fault is marked, read again while typing, and the text is saved and opened', async () => {
  const { fake, screen, dialog, element, type } = await openText();
  expect(dialog.getByText(/^Line 1, column 2: /)).toBeTruthy();
  const root = element.querySelector('.editor')?.shadowRoot;
  expect(root?.querySelector('.cm-lintRange-error')).not.toBeNull();
  expect(enabled(dialog.getByRole('button', { name: 'Save' }))).toBe(false);
  type('{"b": }');
  await expect.poll(() => dialog.queryByText(/"b"/)).toBeTruthy();
  expect(asked(fake, 'keepDamaged')).toEqual([['cut.json', '{"b": }', 'of {"a": }']]);
  type('{"b": 1}');
  await fireEvent.click(await dialog.findByRole('button', { name: 'Save and open' }));
  await expect.poll(() => asked(fake, 'open').at(-1)).toEqual(['cut.json']);
  expect(fake.files.damaged).toBe('{"b": 1}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a byte order mark is left out when the text is saved', async () => {
  const { fake, list, screen } = await openList();
  fake.files.damaged = '\uFEFF{"b": 1}';
  await fireEvent.click(list.getByRole('button', { name: 'Edit the text…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mend cut.json' }));
  await expect.poll(() => enabled(dialog.getByRole('button', { name: /^Save/ }))).toBe(true);
  await fireEvent.click(dialog.getByRole('button', { name: /^Save/ }));
  await expect.poll(() => asked(fake, 'open').at(-1)).toEqual(['cut.json']);
  expect(fake.files.damaged).toBe('{"b": 1}');
});

test('a text that is still damaged is saved too and stays open', async () => {
  const { fake, dialog, type } = await openText();
  type('{"c": }');
  key('s', { ctrlKey: true });
  await expect.poll(() => fake.files.damaged).toBe('{"c": }');
  expect(asked(fake, 'open')).toEqual([]);
  await expect.poll(() => enabled(dialog.getByRole('button', { name: 'Save' }))).toBe(false);
});

test('what was written is kept when the text is left, and can be discarded', async () => {
  const { fake, list, screen, dialog, type } = await openText();
  type('{"d": }');
  await fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText(/Your text of cut.json is kept/)).toBeTruthy();
  expect(fake.files.damagedDraft?.text).toBe('{"d": }');
  expect(await list.findByTitle('Modified')).toBeTruthy();

  await fireEvent.click(screen.getByRole('button', { name: 'Edit the text…' }));
  const again = within(await screen.findByRole('dialog', { name: 'Mend cut.json' }));
  expect(again.getByText(/^Restored what you wrote/)).toBeTruthy();
  await fireEvent.click(again.getByRole('button', { name: 'Discard my changes' }));
  await expect.poll(() => fake.files.damagedDraft).toBeNull();
  await expect.poll(() => again.queryByRole('button', { name: 'Discard my changes' })).toBeNull();
});

test('a text that cannot be kept says so and stays within reach', async () => {
  const { fake, screen, dialog, type } = await openText();
  const failure = { code: 'disk_full', message: 'the disk is full' };
  fake.failing.set('keepDamaged', failure);
  type('{"e": }');
  expect(await dialog.findByText('What you write is not kept: The disk is full')).toBeTruthy();
  fake.failing.set('keepDamaged', failure);
  await fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Edit again' }));
  await screen.findByRole('dialog', { name: 'Mend cut.json' });
  await expect.poll(() => fake.files.damagedDraft?.text).toBe('{"e": }');
});

test('what another program wrote is taken, or replaced with a copy, as the author says', async () => {
  const { fake, screen, dialog, view, type } = await openText();
  const editorText = () => view.state.doc.toString();
  // Nothing was written here: the text follows the file.
  fake.files.damaged = '{"theirs": }';
  fake.emit({ kind: 'workspace_changed' });
  await expect.poll(editorText).toBe('{"theirs": }');
  expect(dialog.queryByText('Another program changed the file.')).toBeNull();

  type('{"mine": 1}');
  fake.files.damaged = '{"later": }';
  await fireEvent.click(await dialog.findByRole('button', { name: 'Save and open' }));
  expect(await dialog.findByText('Another program changed the file.')).toBeTruthy();
  expect(fake.files.damaged).toBe('{"later": }');
  await fireEvent.click(dialog.getByRole('button', { name: 'Use its text' }));
  await expect.poll(editorText).toBe('{"later": }');

  type('{"mine": 2}');
  fake.files.damaged = '{"last": }';
  fake.emit({ kind: 'workspace_changed' });
  await fireEvent.click(await dialog.findByRole('button', { name: 'Keep mine' }));
  await fireEvent.click(await dialog.findByRole('button', { name: 'Save and open' }));
  expect(await screen.findByText(/cut\.replaced-1\.json/)).toBeTruthy();
  expect(fake.files.damaged).toBe('{"mine": 2}');
});

test('text in another encoding is not edited', async () => {
  const { list } = await openList({ code: 'encoding' });
  expect(list.getByText('Text in another encoding is not edited here.')).toBeTruthy();
  expect(list.queryByRole('button', { name: 'Edit the text…' })).toBeNull();
});

test('the palette leads to a damaged registry', async () => {
  const { screen } = await openList();
  key('Escape');
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'edit the text of cut' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(await screen.findByRole('dialog', { name: 'Mend cut.json' })).toBeTruthy();
});
