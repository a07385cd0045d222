// The order of the cards and what is known of each follow the document, also through undo and redo.
import { expect, test } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import { WELL_KNOWN_SECTIONS } from '../ipc/generated/constants';
import type { DeckState } from './deck.svelte';
import { arranged } from '../document/registry';
import { moveSection } from '../actions/section-actions';
import { addSection, deleteSection, newSection, renameSection } from '../document/sections';
import { Studio } from './studio.svelte';
import { sectionColor } from './section-color.svelte';
import type { ViewState } from './view.svelte';

async function opened() {
  const studio = new Studio(new FakeBackend(guides()).backend);
  await studio.start();
  const { deck, view } = studio as { deck: DeckState; view: ViewState };
  return { deck, view, cards: () => arranged(deck.names, view.order) };
}

/** Numbers from 0 to 1, the same ones for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test('a card that was moved goes back with undo, whatever section it is', async () => {
  const { deck, view, cards } = await opened();
  const before = cards();
  for (const from of before.keys()) {
    const to = from === 0 ? 1 : 0;
    moveSection(deck, view, before, from, to);
    await deck.settled();
    expect(cards()[to]).toBe(before[from]);
    await deck.undo();
    expect(cards()).toEqual(before);
  }
});

test('a section keeps its place, its colour and its open item when it is renamed and back', async () => {
  const { deck, view, cards } = await opened();
  const names = cards();
  moveSection(deck, view, names, names.length - 1, 1);
  const name = cards()[1] as string;
  view.toggle(name);
  view.showItems(name, 0);
  const [hue, closed] = [sectionColor(name), view.collapsed.has(name)];
  deck.edit('rename', renameSection(name, 'other', deck.tree));
  const known = (section: string) => [
    cards()[1],
    sectionColor(section),
    view.items.get(section),
    view.collapsed.has(section),
  ];
  expect(known('other')).toEqual(['other', hue, 0, closed]);
  await deck.undo();
  expect(known(name)).toEqual([name, hue, 0, closed]);
});

test('a well-known section keeps its place among cards that were never moved', async () => {
  const { deck, cards } = await opened();
  const before = cards();
  const [name] = before as [string];
  expect(WELL_KNOWN_SECTIONS).toContain(name);
  deck.edit('rename', renameSection(name, 'other', deck.tree));
  expect(cards()).toEqual(['other', ...before.slice(1)]);
  await deck.undo();
  expect(cards()).toEqual(before);
});

test.each(Array.from({ length: 40 }, (_each, index) => index + 1))(
  'undo and redo go through the orders there were (%i)',
  async (seed) => {
    const { deck, view, cards } = await opened();
    const next = random(seed * 7919);
    const any = () => Math.floor(next() * cards().length);
    const orders = [cards()];
    for (let step = 0; step < 12; step += 1) {
      const kind = next();
      const name = cards()[any()] as string;
      if (kind < 0.5) {
        const [from, to] = [any(), any()];
        if (from === to) continue;
        moveSection(deck, view, cards(), from, to);
      } else if (kind < 0.7) {
        deck.edit('rename', renameSection(name, `renamed_${step}`, deck.tree));
      } else if (kind < 0.9 || cards().length < 3) {
        deck.edit(
          'add',
          addSection(deck.registry, `added_${step}`, newSection(`added_${step}`), Infinity),
        );
      } else deck.edit('delete', deleteSection(name, deck.tree));
      await deck.settled();
      orders.push(cards());
    }
    for (const order of orders.toReversed().slice(1)) {
      await deck.undo();
      expect(cards()).toEqual(order);
    }
    for (const order of orders.slice(1)) {
      await deck.redo();
      expect(cards()).toEqual(order);
    }
  },
);
