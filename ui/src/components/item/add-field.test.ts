// Fields that are added to an item: each says what it is for, and what follows from it is added with it.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { openItem } from '../../testing/open-item';
import { lastEdits } from '../../testing/studio';

test('a weight is added as 1', async () => {
  const { screen, fake, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add field' });
  await fireEvent.click(within(dialog).getByRole('button', { name: /^weight/ }));
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: ['registry', 'personas', 'items', 0, 'weight'], value: 1 },
  ]);
});

test('a known field whose name is typed holds what it always does', async () => {
  const { screen, fake, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add field' });
  const name = within(dialog).getByRole('textbox');
  await fireEvent.input(name, { target: { value: 'weight' } });
  await fireEvent.submit(name.closest('form')!);
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: ['registry', 'personas', 'items', 0, 'weight'], value: 1 },
  ]);
});

test('the fields to add are filtered by what is typed, and Enter adds the first', async () => {
  const { screen, fake, card } = await openItem({});
  const open = async () => {
    await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
    return within(await screen.findByRole('dialog', { name: 'Add field' }));
  };
  const dialog = await open();
  const name = dialog.getByRole('textbox');
  const rows = () => [...document.querySelectorAll('.known .mono')].map((row) => row.textContent);
  await fireEvent.input(name, { target: { value: 'frag' } });
  expect(rows()).toEqual(['fragments']);
  await fireEvent.input(name, { target: { value: 'variable' } });
  expect(rows()).toEqual(['runtime_variables', 'fragments']);
  await fireEvent.input(name, { target: { value: 'frag' } });
  await fireEvent.submit(name.closest('form')!);
  const path = ['registry', 'personas', 'items', 0];
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: [...path, 'fragments'], value: [{ text: '' }] },
  ]);
  // One of the author's own is added on purpose.
  const again = await open();
  await fireEvent.input(again.getByRole('textbox'), { target: { value: 'frag' } });
  await fireEvent.click(again.getByRole('button', { name: /^Add a field named frag/ }));
  expect(lastEdits(fake)).toEqual([{ kind: 'insert', path: [...path, 'frag'], value: '' }]);
});

test('Enter adds a field of the kind that was chosen by a press', async () => {
  const { screen, fake, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add field' }));
  await fireEvent.input(dialog.getByRole('textbox'), { target: { value: 'nudges_of_mine' } });
  const list = dialog.getByRole('radio', { name: 'List' });
  await fireEvent.click(list);
  await fireEvent.keyDown(list, { key: 'Enter' });
  const path = ['registry', 'personas', 'items', 0, 'nudges_of_mine'];
  expect(lastEdits(fake)).toEqual([{ kind: 'insert', path, value: [''] }]);
});

test('what a slider measures is found as such, and brings the slider', async () => {
  const { screen, fake, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add field' }));
  const name = dialog.getByRole('textbox');
  await fireEvent.input(name, { target: { value: 'slider' } });
  await fireEvent.submit(name.closest('form')!);
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: ['registry', 'personas', 'items', 0, 'scale_emotion'], value: '' },
    { kind: 'set', path: ['registry', 'personas', 'slider'], value: 5 },
  ]);
});

test('each known field that can be added says what it is for', async () => {
  const { screen, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add field' });
  const rows = [...dialog.querySelectorAll<HTMLElement>('.known')];
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(row.textContent).toMatch(/^\s*\w+ .{12,}/);
});

test('a list that would print in place of the text gets an entry behind it, in one step', async () => {
  const { fake, card, screen } = await openItem({});
  fake.entrySplits = [
    { route: null, index: 1, tokens: ['personas.context', 'personas.items'] },
    { route: 'gone', index: 0, tokens: ['personas.context'] },
  ];
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  await fireEvent.click(
    within(screen.getByRole('dialog', { name: 'Add field' })).getByRole('button', {
      name: /^items/,
    }),
  );
  const order = ['registry', 'assembly_order'];
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      { kind: 'insert', path: ['registry', 'personas', 'items', 0, 'items'], value: [''] },
      { kind: 'set', path: [...order, 1], value: 'personas.context' },
      { kind: 'insert', path: [...order, 2], value: 'personas.items' },
    ]);
  const asked = fake.calls.find(({ name }) => name === 'entrySplits');
  expect(asked?.args).toMatchObject([
    'guides.json',
    'personas',
    { items: [{ id: 'calm', items: [''] }, {}] },
    0,
  ]);
});
