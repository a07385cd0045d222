// The names that are refused, and the words beside the field that was typed in.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';
import { nameProblem } from './names';

test.each([
  ['my_rules-2', undefined],
  ['größe🎲', undefined],
  ['', 'Enter a name.'],
  ['a\u00a0b', 'A name cannot contain whitespace.'],
  ['my rules. [new]', 'A name cannot contain whitespace.'],
  ['a].b', 'A name cannot contain ], which separates the parts of an entry.'],
])('%j', (name, words) => {
  expect(nameProblem(name)).toBe(words);
});

test('a section is renamed to nothing that no token can name, and the field says why', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  const field = await screen.findByRole('textbox', { name: /^Rename/ });
  for (const [typed, words] of [
    ['my rules', /whitespace/],
    ['a.b', /cannot contain \./],
    ['notes', /A section or key named notes/],
  ] as const) {
    await fireEvent.input(field, { target: { value: typed } });
    expect(await screen.findByText(words)).toBeTruthy();
    field.focus();
    key('Enter');
  }
  expect(fake.calls.filter(({ name }) => name === 'apply')).toEqual([]);
});

test('a new section needs a name that a token can name', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Add section' }));
  const field = await screen.findByRole('textbox', { name: 'Section name' });
  await fireEvent.input(field, { target: { value: 'a[b' } });
  expect(await screen.findByText(/cannot contain \[/)).toBeTruthy();
});
