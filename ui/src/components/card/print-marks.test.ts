// What becomes of a list, on the card of its section: open, and closed.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonValue, SectionEvaluation, UnprintedText } from '$lib/ipc';
import type { JsonObject } from '$lib/document/edit';
import { guides, sections } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

const unprinted = (more: Partial<UnprintedText>): UnprintedText => ({
  section: 'personas',
  item: { index: 1, name: 'brisk' },
  field: 'tips',
  reason: 'mode',
  words: 'left out by mode none',
  ...more,
});

async function open(texts: UnprintedText[], merged_into?: string, fragments?: JsonValue) {
  const scene = guides();
  if (fragments !== undefined) {
    scene.tree = structuredClone(scene.tree);
    const { registry } = scene.tree as { registry: { personas: { items: JsonObject[] } } };
    registry.personas.items[1]!.fragments = fragments;
  }
  const evaluated = scene.preview(scene.tree);
  const merged = sections.map((section): SectionEvaluation => ({
    ...section,
    arrays: section.arrays.map((array) => ({
      ...array,
      origin: 'baked',
      ...(merged_into === undefined ? {} : { merged_into }),
    })),
  }));
  const { screen, fake } = await openStudio({
    ...scene,
    preview: () => ({
      ...evaluated,
      sections: { head: 0, middle: merged, tail: 0 },
      unprinted: { head: 0, middle: texts, tail: 0 },
    }),
  });
  const card = document.querySelector<HTMLElement>('[data-card="personas"]')!;
  const row = () => card.querySelector('.lab[title="tips"]')?.closest<HTMLElement>('.prop');
  return { screen, fake, card, row };
}

const words = (element: Element | null | undefined) =>
  element?.textContent?.replace(/\s+/g, ' ').trim();

test('a list that is merged says into which, on the head of the card only while it is closed', async () => {
  const { screen, card, row } = await open([], 'notes.items');
  const head = () => words(card.querySelector('header'));
  expect(words(row())).toContain('merged into notes.items');
  expect(head()).not.toContain('merged');
  await fireEvent.click(screen.getByRole('button', { name: 'Collapse personas' }));
  expect(head()).toContain('merged into notes.items');
});

test('an open item says it below the list', async () => {
  const { screen, card } = await open([], 'notes.items');
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Edit brisk' }));
  expect(words(card.querySelector('.editor'))).toContain('merged into notes.items');
});

test('a list that its mode leaves out says so in its row', async () => {
  const { card, row } = await open([unprinted({})]);
  expect(words(row())).toContain('left out by mode none');
  expect(card.querySelector('.print-note')).toBeNull();
});

test('a list that no entry prints has the button that adds the entry', async () => {
  const { card, fake } = await open([
    unprinted({ reason: 'not_in_assembly', token: 'personas.tips', index: 1 }),
  ]);
  const note = within(card.querySelector<HTMLElement>('.print-note')!);
  note.getByText('No entry prints this');
  await fireEvent.click(note.getByRole('button', { name: 'Add to prompt' }));
  await expect.poll(() => fake.calls.some(({ name }) => name === 'apply')).toBe(true);
});

test('a list that another route prints names the route', async () => {
  const { card } = await open([
    unprinted({
      reason: 'other_route',
      words: 'only route billing prints it',
      token: 'personas.tips',
      index: 1,
    }),
  ]);
  const note = within(card.querySelector<HTMLElement>('.print-note')!);
  note.getByText('only route billing prints it');
  note.getByRole('button', { name: 'Add to this route' });
});

test('a list that prints has no mark', async () => {
  const { card, row } = await open([]);
  expect(words(row())).not.toMatch(/merged|left out|No entry/);
  expect(card.querySelector('.print-note')).toBeNull();
});

test('each fragment on a closed card is marked as printed, or says why it is not', async () => {
  const fragments = [
    { if_var: 'place', text: 'By {place}.' },
    { if_var: 'idle', text: 'Idle.' },
  ];
  const left = unprinted({
    field: 'fragments',
    fragment: 1,
    reason: 'condition',
    words: 'idle is empty',
  });
  const { card } = await open([left], undefined, fragments);
  const rows = [...card.querySelectorAll('[aria-label="Fragments of personas"] [role=listitem]')];
  expect(rows.map((row) => [row.classList.contains('printed'), words(row)])).toEqual([
    [true, 'if place By {place}.'],
    [false, 'if idle Idle. idle is empty'],
  ]);
});

test('fragments on a closed card that no entry prints have the button that adds one', async () => {
  const missing = {
    field: 'fragments',
    reason: 'not_in_assembly',
    token: 'personas.text',
    index: 1,
  } as const;
  const { card } = await open([unprinted(missing)], undefined, [{ text: 'Idle.' }]);
  const note = within(card.querySelector<HTMLElement>('.print-note')!);
  note.getByRole('button', { name: 'Add to prompt' });
});
