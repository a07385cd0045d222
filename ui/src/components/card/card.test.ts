// The cards of every kind of section offer the same: a roll, and a mode for each list there is.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonObject } from '$lib/document/edit';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';

test.each([
  ['personas', false],
  ['notes', true],
  ['runtime_injections', true],
])('the roll of %s is switched to %s', async (section, value) => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('switch', { name: `Random item of ${section}` }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'set', path: ['state', 'section_random', section], value }]);
});

test('a list of an item that is not chosen has its mode as well', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as JsonObject;
  const registry = tree.registry as JsonObject;
  (registry.personas as { items: JsonObject[] }).items[0]!.nudges = ['One.', 'Two.'];
  (registry.notes as { items: JsonObject[] }).items[1]!.nudges = ['Three.', 'Four.', 'Five.'];
  const { fake, screen } = await openStudio({ ...scene, tree: tree as typeof scene.tree });
  expect(screen.getByRole('button', { name: /^Mode of personas nudges: / })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /^Mode of notes nudges: / }));
  await fireEvent.click(await screen.findByRole('button', { name: /Four\./ }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      { kind: 'set', path: ['state', 'array_modes', 'notes', 'nudges'], value: 'index:1' },
    ]);
});

test('the open list of modes says how several entries are chosen, and Ctrl with a press does so', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as JsonObject;
  const registry = tree.registry as JsonObject;
  (registry.notes as { items: JsonObject[] }).items[1]!.nudges = ['Three.', 'Four.', 'Five.'];
  const { fake, screen } = await openStudio({ ...scene, tree: tree as typeof scene.tree });
  await fireEvent.click(screen.getByRole('button', { name: /^Mode of notes nudges: / }));
  const list = await screen.findByRole('dialog', { name: 'Mode of notes nudges' });
  const hints = (list.textContent ?? '').replaceAll(/\s+/g, ' ');
  expect(hints).toContain('Enter this entry only');
  expect(hints).toContain('Space or Ctrl + click: one more, or one less');
  const entry = (words: RegExp) => screen.getByRole('button', { name: words });
  for (const words of [/Three\./, /Five\./]) await fireEvent.click(entry(words), { ctrlKey: true });
  await expect.poll(() => lastEdits(fake)).toMatchObject([{ value: 'indices:0,2' }]);
});

test('a press on a fragment opens its item and goes to it', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as JsonObject;
  const registry = tree.registry as JsonObject;
  (registry.personas as { items: JsonObject[] }).items[0]!.fragments = [
    'not a fragment',
    { text: 'Always said.' },
    { if_var: 'place', text: 'You are at {place}.' },
  ];
  const { screen } = await openStudio({ ...scene, tree: tree as typeof scene.tree });
  const list = screen.getByRole('list', { name: 'Fragments of personas' });
  const rows = within(list).getAllByRole('button');
  expect(rows.map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim())).toEqual([
    'always Always said.',
    'if place You are at {place}.',
  ]);
  await fireEvent.click(rows[1]!);
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('Fragment 3 text');
});
