// Texts that are read and not edited: what would edit one says so, and an undo there says what it takes back.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

test('keys that would edit the JSON say that it is read-only; undo says what it undoes in the deck', async () => {
  const { screen, fake } = await openStudio(guides());
  const place = screen.getByRole('textbox', { name: 'personas variable place' });
  await fireEvent.input(place, { target: { value: 'sea' } });
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'apply')).toHaveLength(1);
  await fireEvent.click(screen.getByRole('tab', { name: 'JSON' }));
  const json = await screen.findByRole('group', { name: 'Canonical model JSON' });
  expect(screen.getByText('read-only')).toBeTruthy();
  const readOnly = /^This text is read-only/;
  for (const name of ['x', 'Backspace', 'Delete', 'Enter']) {
    json.focus();
    key(name);
    expect(await screen.findByText(readOnly), name).toBeTruthy();
    key('Escape');
    await expect.poll(() => screen.queryByText(readOnly)).toBeNull();
  }
  key(' ');
  key('ArrowDown');
  expect(screen.queryByText(readOnly)).toBeNull();
  // A paste does not make another deck of the text.
  await fireEvent.paste(json, { clipboardData: { files: [], getData: () => '{"a": 1}' } });
  expect(await screen.findByText(readOnly)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  key('z', { ctrlKey: true });
  expect(
    await screen.findByText('Undone in the deck: Set variable place of personas.'),
  ).toBeTruthy();
  expect(fake.calls.filter(({ name }) => name === 'undo')).toHaveLength(1);
});

/** A window with an edit of the deck, to be undone in a tab. */
async function openTab(name: string) {
  const { screen, fake } = await openStudio(guides());
  const place = screen.getByRole('textbox', { name: 'personas variable place' });
  await fireEvent.input(place, { target: { value: 'sea' } });
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'apply')).toHaveLength(1);
  await fireEvent.click(screen.getByRole('tab', { name }));
  return { screen, undone: () => fake.calls.filter(({ name }) => name === 'undo').length };
}

test.each(['Request', 'Compare', 'Variants', 'Chat'])(
  'where nothing has the focus, an undo in %s says what it undoes',
  async (name) => {
    const { screen, undone } = await openTab(name);
    const panel = await screen.findByRole('tabpanel', { name });
    await expect.poll(() => panel.textContent).not.toBe('');
    (document.activeElement as HTMLElement).blur();
    getSelection()?.collapse(panel);
    await fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(await screen.findByText(/^Undone in the deck/)).toBeTruthy();
    expect(undone()).toBe(1);
  },
);

test('in the prompt, which shows what is undone, nothing is said', async () => {
  const { screen, undone } = await openTab('Prompt');
  const prompt = document.querySelector('[data-prompt]');
  getSelection()?.collapse(prompt);
  await fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  await expect.poll(undone).toBe(1);
  expect(screen.queryByText(/^Undone in the deck/)).toBeNull();
});
