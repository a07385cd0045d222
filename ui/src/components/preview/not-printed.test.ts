// What the preview says of text that is not in the prompt: rows below it, gaps in it.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Segment, UnprintedText } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';

const missing = (field: string, token?: string, index?: number): UnprintedText => ({
  section: 'personas',
  item: { index: 0, name: 'calm' },
  field,
  reason: token === undefined ? 'filtered' : 'not_in_assembly',
  words: token === undefined ? 'filtered by alarm' : 'in no entry',
  ...(token === undefined || index === undefined ? {} : { token, index }),
});

async function openWith(unprinted: UnprintedText[], segments?: Segment[]) {
  const scene = guides();
  const evaluated = scene.preview(scene.tree);
  return openStudio({
    ...scene,
    preview: () => ({
      ...evaluated,
      ...(segments && { segments: { head: 0, middle: segments, tail: 0 } }),
      unprinted: { head: 0, middle: unprinted, tail: 0 },
    }),
  });
}

test('a prompt that leaves nothing out has no rows', async () => {
  const { screen } = await openWith([]);
  expect(screen.queryByRole('region', { name: 'Not in this prompt' })).toBeNull();
});

test('every text left out has a row with its reason; what no entry prints comes first', async () => {
  const { screen } = await openWith([missing('note'), missing('tips', 'personas.tips', 1)]);
  const rows = await screen.findByRole('region', { name: 'Not in this prompt' });
  const listed = within(rows).getAllByRole('listitem');
  expect(listed.map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim())).toEqual([
    'personas.calm.tips No entry prints this Add',
    'personas.calm.note filtered by alarm',
  ]);
  await fireEvent.click(within(rows).getByRole('button', { name: /Not in this prompt/ }));
  expect(within(rows).queryAllByRole('listitem')).toEqual([]);
});

test('"Add all" adds each entry once, in one step', async () => {
  const { screen, fake } = await openWith([
    missing('tips', 'personas.tips', 1),
    missing('note', 'personas.note', 1),
    { ...missing('tips', 'personas.tips', 1), item: { index: 1, name: 'brisk' } },
    missing('other', 'notes.other', 3),
  ]);
  await fireEvent.click(await screen.findByRole('button', { name: 'Add all 3' }));
  const path = ['registry', 'assembly_order'];
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: [...path, 3], value: 'notes.other' },
    { kind: 'insert', path: [...path, 1], value: 'personas.note' },
    { kind: 'insert', path: [...path, 1], value: 'personas.tips' },
  ]);
});

test('what another route prints is not missing, and "Add" adds it to the route in use', async () => {
  const { screen, fake } = await openWith([
    {
      ...missing('note', 'personas.note', 1),
      reason: 'other_route',
      words: 'only route billing prints it',
    },
  ]);
  const rows = await screen.findByRole('region', { name: 'Not in this prompt' });
  expect(within(rows).queryByRole('listitem')).toBeNull();
  expect(within(rows).queryByRole('button', { name: 'Add' })).toBeNull();
  await fireEvent.click(within(rows).getByRole('button', { name: /Not in this prompt/ }));
  const row = within(rows).getByRole('listitem');
  expect(row.textContent).toContain('only route billing prints it');
  expect(row.querySelector('.warn-ink')).toBeNull();
  await fireEvent.click(
    within(row).getByRole('button', { name: 'Add personas.note to this route' }),
  );
  const path = ['registry', 'assembly_order', 1];
  expect(lastEdits(fake)).toEqual([{ kind: 'insert', path, value: 'personas.note' }]);
});

test('a variable without a value is a gap that leads to it and is in no copy', async () => {
  const source = (variable?: string) => ({
    token: 0,
    section: 'personas',
    item: 0,
    item_name: 'calm',
    field: 'context',
    ...(variable === undefined ? {} : { variable }),
  });
  const segments: Segment[] = [
    { text: 'Calm at ', source: source() },
    { text: '', source: source('place') },
    { text: '.', source: source() },
  ];
  const { screen } = await openWith([], segments);
  const gap = await screen.findByRole('link', { name: 'place has no value' });
  const prompt = screen.getByRole('group', { name: 'Evaluated prompt' });
  expect(prompt.textContent?.trim()).toBe('Calm at .');
  await fireEvent.click(gap, { ctrlKey: true });
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas variable place');
});

test('an expression without a value is a gap that leads to the text it is written in', async () => {
  const source = { token: 0, section: 'personas', item: 0, item_name: 'calm', field: 'context' };
  const segments: Segment[] = [
    { text: 'Calm at ', source },
    { text: '', source, expression: 'args.place' },
  ];
  const { screen } = await openWith([], segments);
  const gap = await screen.findByRole('link', { name: 'args.place has no value' });
  expect(gap.dataset.name).toBe('args.place');
  await fireEvent.click(gap, { ctrlKey: true });
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas.calm.context');
});
