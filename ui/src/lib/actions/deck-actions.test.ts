// What the palette offers of a deck.
import { expect, test } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import { deckActions } from './deck-actions';
import { applyAll } from '../document/edit';
import { Studio } from '../state/studio.svelte';

test('no two actions are taken for one, whatever sections are called', async () => {
  const scene = guides();
  const path = ['registry', 'notes-1'];
  const value = { required: false, items: [{ id: 'a', text: 'A.' }] };
  const tree = applyAll(scene.tree, [{ kind: 'insert', path, value }]);
  const studio = new Studio(new FakeBackend({ ...scene, tree }).backend);
  await studio.start();
  const { deck, view } = studio;
  if (!deck || !view) throw new Error('no document');
  const ids = deckActions(studio, deck, view).map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
