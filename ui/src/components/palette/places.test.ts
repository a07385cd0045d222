// The palette goes to what was chosen: it is in sight, and has the focus or a mark.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DiagnosticNote } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const undeclared: DiagnosticNote = {
  code: 'variable_undeclared',
  severity: 'error',
  message: 'said in full',
  pointer: '/personas/items/1/context',
  also: [],
  data: { name: 'where', section: 'personas', found: '{where}' },
  line: 3,
  column: 4,
};

async function search(letters: string) {
  const { screen, fake } = await openStudio(guides());
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [undeclared] });
  await screen.findByRole('region', { name: 'Problems' });
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: letters } });
  return { screen, field };
}

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test.each([
  ['a field', 'brisk.context', 'personas.brisk.context'],
  ['a list', 'brisk.tips', 'personas.brisk.tips entry 1'],
  ['an item', 'personas.calm', 'personas.calm.context'],
  ['an entry of the assembly', 'missing', 'missing'],
  ['a problem', 'where} is not', 'personas.brisk.context'],
])('%s', async (_, letters, name) => {
  const { field } = await search(letters);
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(focused).toBe(name);
});

test('a card, which shows no focus after a press, is marked until the focus leaves', async () => {
  const { screen } = await search('@notes');
  await fireEvent.click(screen.getByRole('option', { selected: true }));
  const card = document.querySelector<HTMLElement>('[data-card="notes"]')!;
  await expect.poll(() => document.activeElement === card).toBe(true);
  const marked = () => [...document.querySelectorAll('[data-found]')];
  if (!card.matches(':focus-visible')) expect(marked()).toEqual([card]);
  card.blur();
  expect(marked()).toEqual([]);
});
