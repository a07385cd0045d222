// The split of a pasted prompt, adjusted by hand; what would lose bytes cannot be created.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import {
  PROMPT,
  argumentsOf,
  dialogOf,
  paste,
  openSplit,
  expectAccessible,
  borders,
} from '../../testing/new-registry';
import { key, openStudio } from '../../testing/studio';

test('a kind of place that changes nothing in a split is disabled, and a line says why', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.ineffectivePoints = [
    { point: 'headings', reason: 'redundant' },
    { point: 'tags', reason: 'absent' },
    { point: 'blank_lines', reason: 'structured' },
    { point: 'lists', reason: 'structured' },
  ];
  await paste(PROMPT);
  const dialog = within(await dialogOf(studio));
  const tick = async (name: string) => dialog.findByRole<HTMLButtonElement>('button', { name });
  // It has an effect once another tick is off.
  expect((await tick('Headings')).disabled).toBe(false);
  const lists = await tick('Lists');
  expect(lists.disabled).toBe(true);
  expect(document.getElementById(lists.getAttribute('aria-describedby')!)?.textContent).toBe(
    'Blank lines split only a text that no heading or tag splits. Lists become entries where they end a section. Headings split at the same places as the rest. No tags divide the text.',
  );
  expect(lists.getAttribute('aria-pressed')).toBe('true');
});

test('how borders are moved is said above the text', async () => {
  const { dialog } = await openSplit();
  const help = within(dialog).getByText(/^Drag a border/);
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  expect(help.compareDocumentPosition(line)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('borders are moved and merged by keys, and undone', async () => {
  const { dialog } = await openSplit();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.focus();
  key('ArrowUp');
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
  key('Delete');
  await expect.poll(() => borders(dialog)).toEqual(['6']);
  const undo = within(dialog).getByRole('button', { name: /^Undo the last change/ });
  await fireEvent.click(undo);
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
});

test('a press on a border selects no text and gives it the focus', async () => {
  const { dialog } = await openSplit();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.setPointerCapture = () => undefined;
  // An event that was prevented is answered with false.
  expect(await fireEvent.pointerDown(border, { button: 0 })).toBe(false);
  expect(await fireEvent.mouseDown(border, { button: 0 })).toBe(false);
  expect(document.activeElement).toBe(border);
});

test('a part is divided at a line and renamed in place', async () => {
  const { dialog } = await openSplit();
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  line.focus();
  key('ArrowDown');
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('2 More.');
  await fireEvent.click(document.activeElement!, { detail: 0 });
  await expect.poll(() => borders(dialog)).toEqual(['2', '4', '6']);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Rename part_2' }));
  const field = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  await fireEvent.input(field, { target: { value: 'the.rules' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  const stays = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  expect(stays.getAttribute('aria-invalid'), 'no token could name it').toBe('true');
  await fireEvent.input(field, { target: { value: ' the rules ' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await within(dialog).findByRole('separator', { name: 'Border above the_rules' });
  await expectAccessible(dialog);
});

test('a deck that would print other bytes is not created until the text is trimmed', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.same = false;
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  const create = within(dialog).getByRole('button', { name: 'Create deck' });
  const trim = await within(dialog).findByRole('button', { name: 'Trim the text' });
  expect(create.hasAttribute('disabled')).toBe(true);
  expect(within(dialog).getByText(/^The deck would not print your text/)).toBeTruthy();
  await fireEvent.click(trim);
  await within(dialog).findByText(/^Prints the same/);
  expect(create.hasAttribute('disabled')).toBe(false);
});

test('trimming takes the split along, and is undone with the text and the split it had', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.same = false;
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  const merged = await within(dialog).findByRole('separator', { name: 'Border above part_2' });
  merged.focus();
  key('Delete');
  const undo = within(dialog).getByRole('button', { name: /^Undo the last change/ });
  await expect.poll(() => undo.hasAttribute('disabled')).toBe(false);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Trim the text' }));
  await within(dialog).findByText(/^Prints the same/);
  const split = { parts: [{ line: 1 }, { name: 'part_3', line: 6 }] };
  expect(argumentsOf(studio, 'changeSource').at(-1)).toMatchObject([
    expect.anything(),
    { kind: 'trim', split },
  ]);
  await fireEvent.click(undo);
  await within(dialog).findByRole('button', { name: 'Trim the text' });
  expect(argumentsOf(studio, 'changeSource').at(-1)).toMatchObject([
    expect.anything(),
    { kind: 'undo_trim', split },
  ]);
  expect(borders(dialog)).toEqual(['6']);
  await fireEvent.click(undo);
  await expect.poll(() => borders(dialog)).toEqual(['4', '6']);
  expect(undo.hasAttribute('disabled')).toBe(true);
});
