// The palette: what it lists before anything is typed, and the keys that stay in it.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, lastEdits, openStudio } from '../../testing/studio';

async function openPalette() {
  const { fake, screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  const chosen = () => screen.getByRole('option', { selected: true }).textContent;
  return { fake, screen, field, chosen };
}

test('every action is listed before anything is typed', async () => {
  const { screen } = await openPalette();
  const actions = within(screen.getByRole('group', { name: 'Actions' }));
  for (const name of [/^Save/, /^Import a prompt/, /^Show JSON/, /^Help/, /^Use the dark theme/]) {
    expect(actions.getAllByRole('option', { name }).length).toBeGreaterThan(0);
  }
});

test('a theme is named by what it switches to, and the palette does not offer itself', async () => {
  const { screen, field } = await openPalette();
  const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent.trim());
  expect(offered().join()).not.toContain('Command palette');
  await fireEvent.input(field, { target: { value: '>theme' } });
  const themes = () => offered().filter((each) => each.startsWith('Use the'));
  await expect.poll(() => themes().sort()).toEqual(['Use the dark theme', 'Use the light theme']);
  await fireEvent.click(screen.getByRole('option', { name: /Use the dark theme/ }));
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark');
});

test('fields and samplings are found by their words', async () => {
  const { screen, field } = await openPalette();
  await fireEvent.input(field, { target: { value: 'fragment' } });
  const add = await screen.findByRole('option', { name: /Add field to personas\.calm.*fragments/ });
  expect(add).toBeTruthy();
  await fireEvent.input(field, { target: { value: 'sampling' } });
  await fireEvent.click(await screen.findByRole('option', { name: /Sample rolls: Pairwise/ }));
  const tab = screen.getByRole('tab', { name: 'Variants' });
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  expect(await screen.findByRole('button', { name: 'Sampling: Pairwise' })).toBeTruthy();
});

test('the sign for actions finds those of the deck too', async () => {
  const { screen, field } = await openPalette();
  for (const name of ['Add route', 'Add section']) {
    await fireEvent.input(field, { target: { value: `>${name.toLowerCase()}` } });
    expect(screen.getAllByRole('option', { name }).length).toBeGreaterThan(0);
  }
});

test('the help lists the keys of the prompt, of the registries and of a split', async () => {
  const { screen } = await openStudio(guides());
  key('F1');
  const dialog = within(await screen.findByRole('dialog', { name: 'Help: all keys' }));
  const keysOf = (label: string) =>
    dialog.getByText(label).parentElement?.querySelector('dd')?.textContent.trim();
  for (const group of ['Window', 'In the prompt', 'In the list of registries']) {
    expect(dialog.getByRole('heading', { name: group })).toBeTruthy();
  }
  expect(keysOf('New entry, or a line break')).toBe('Enter');
  expect(keysOf('Join with the previous entry')).toBe('Backspace');
  expect(keysOf('Stop editing')).toBe('Esc');
  expect(keysOf('Duplicate')).toBe('CtrlD');
  expect(keysOf('Remove a border')).toBe('Del');
});

test('a tab that is shown from the palette takes the focus from the tab before', async () => {
  const { screen } = await openStudio(guides());
  screen.getByRole('tab', { name: 'Prompt' }).focus();
  key('k', { ctrlKey: true });
  await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.click(screen.getByRole('option', { name: 'Show JSON' }));
  await expect.poll(() => document.activeElement?.textContent).toBe('JSON');
});

test('the first answer to "new" is a new registry', async () => {
  const { field, chosen } = await openPalette();
  await fireEvent.input(field, { target: { value: 'new' } });
  expect(chosen()).toContain('New registry…');
});

test('the page on how a deck becomes a prompt has that title', async () => {
  const { screen } = await openStudio(guides());
  key('F1');
  const keys = within(await screen.findByRole('dialog', { name: 'Help: all keys' }));
  await fireEvent.click(keys.getByRole('radio', { name: 'How a deck becomes a prompt' }));
  await screen.findByRole('dialog', { name: 'How a deck becomes a prompt' });
});

test('help is found by its name', async () => {
  const { screen, field } = await openPalette();
  await fireEvent.input(field, { target: { value: 'help' } });
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Help');
});

test('Tab goes on among the results and never leaves the field', async () => {
  const { field, chosen } = await openPalette();
  const first = chosen();
  expect(await fireEvent.keyDown(field, { key: 'Tab' })).toBe(false);
  await expect.poll(chosen).not.toBe(first);
  await fireEvent.keyDown(field, { key: 'Tab', shiftKey: true });
  await expect.poll(chosen).toBe(first);
});

test('a deletion is chosen for its own words only, never for letters here and there', async () => {
  const { fake, screen, field } = await openPalette();
  const chosen = () => screen.queryByRole('option', { selected: true })?.textContent.trim();
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  await type('deletpers');
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('Delete personas.');
  expect(chosen()).toBeUndefined();
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(lastEdits(fake)).toBeUndefined();
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  await expect.poll(chosen).toContain('Delete personas.');
  await type('deleted');
  await expect.poll(chosen).toContain('Restore a deleted snapshot…');
  await type('delete pers');
  await expect.poll(chosen).toContain('Delete personas.');
});
