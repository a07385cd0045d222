// The replica of a document: edits at once, one group at a time on the way, answers underneath.
import { expect, test, vi } from 'vitest';
import type { Change, JsonValue } from '../ipc';
import { FakeBackend, type Scene } from '../../testing/fake-backend';
import { DeckState } from './deck.svelte';
import { PreviewState } from './preview.svelte';

const scene = (): Scene => ({
  file: 'one.json',
  tree: { registry: { title: 'a' }, state: {}, route: null, seed: 1 },
  preview: () => ({
    segments: { head: 0, middle: [], tail: 0 },
    sections: { head: 0, middle: [], tail: 0 },
    tokens: { head: 0, middle: [], tail: 0 },
    unprinted: { head: 0, middle: [], tail: 0 },
    rolled: [],
    characters: 0,
    micros: 1,
    problem: null,
    unrendered: null,
  }),
});

async function deckOf(fake: FakeBackend) {
  const onError = vi.fn();
  const opened = await fake.backend.open('one.json');
  const deck = new DeckState(opened, {
    backend: fake.backend,
    preview: new PreviewState(),
    onError,
  });
  return { deck, onError };
}

const set = (value: JsonValue) => [{ kind: 'set' as const, path: ['registry', 'title'], value }];
const sent = (fake: FakeBackend) => fake.calls.filter((call) => call.name === 'apply');

test('an edit shows at once and reaches the service', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  deck.edit('title', set('b'));
  expect(deck.registry.title).toBe('b');
  await deck.settled();
  expect(fake.tree).toMatchObject({ registry: { title: 'b' } });
  expect(deck.status.undo?.text).toBe('title');
});

test('a burst typed while one is on its way travels as one group', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  for (const title of ['ab', 'abc', 'abcd']) deck.type('title', ['registry', 'title'], title);
  await deck.settled();
  expect(sent(fake)).toHaveLength(2);
  expect(fake.tree).toMatchObject({ registry: { title: 'abcd' } });
});

test('groups are sent on the revision of the answer before', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  deck.edit('one', set('b'));
  deck.edit('two', set('c'));
  await deck.settled();
  expect(sent(fake).map((call) => (call.args[1] as { base: number }).base)).toEqual([0, 1]);
});

test('undo comes back as edits', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  deck.edit('title', set('b'));
  await deck.undo();
  expect(deck.registry.title).toBe('a');
  await deck.redo();
  expect(deck.registry.title).toBe('b');
});

test('what is typed while an undo is on its way stays on top of it', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  deck.edit('title', set('b'));
  await deck.settled();
  const undone = deck.undo();
  deck.edit('note', [{ kind: 'set', path: ['registry', 'description'], value: 'x' }]);
  await undone;
  expect(deck.registry).toEqual({ title: 'a', description: 'x' });
  await deck.settled();
  expect(fake.tree).toEqual(deck.tree);
});

test('a rejected edit is reported and the document is reloaded', async () => {
  const fake = new FakeBackend(scene());
  const { deck, onError } = await deckOf(fake);
  const failure = { code: 'stale_revision', message: 'The document has moved on.' };
  fake.failing.set('apply', failure);
  deck.edit('title', set('b'));
  await deck.settled();
  expect(onError).toHaveBeenCalledWith(failure);
  expect(deck.registry.title).toBe('a');
});

test('a change that comes unasked is taken over', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  const change: Change = {
    document: 'one.json',
    base: 0,
    edits: set('from disk'),
    status: { ...deck.status, revision: 1 },
    preview: { ...scene().preview({}), number: 9, base: null },
  };
  deck.receive(change);
  expect(deck.registry.title).toBe('from disk');
  expect(deck.status.revision).toBe(1);
});

test('a change that does not fit reloads the document, and editing continues', async () => {
  const fake = new FakeBackend(scene());
  const { deck } = await deckOf(fake);
  fake.tree = { ...(fake.tree as object), registry: { title: 'from disk' } };
  fake.revision = 1;
  deck.receive({
    document: 'one.json',
    base: 0,
    edits: [{ kind: 'remove', path: ['registry', 'never'] }],
    status: { ...deck.status, revision: 1 },
    preview: { ...scene().preview({}), number: 9, base: null },
  });
  deck.edit('note', [{ kind: 'set', path: ['registry', 'description'], value: 'x' }]);
  await deck.settled();
  expect(deck.registry).toEqual({ title: 'from disk', description: 'x' });
  expect(fake.tree).toEqual(deck.tree);
});

test.each([
  ['follows', 1],
  ['is ahead of', 2],
])('a change that %s an edit on its way waits for its answer', async (_, base) => {
  const fake = new FakeBackend(scene());
  const { apply } = fake.backend;
  let answered = () => {};
  const gate = new Promise<void>((go) => (answered = go));
  fake.backend.apply = async (document, group) => {
    const change = await apply(document, group);
    await gate;
    return change;
  };
  const { deck, onError } = await deckOf(fake);
  deck.edit('title', set('b'));
  // The service has applied the edit and later ones before the page receives the answer.
  const elsewhere = [{ kind: 'set' as const, path: ['registry', 'author'], value: 'disk' }];
  const change: Change = {
    document: 'one.json',
    base,
    edits: elsewhere,
    status: { ...deck.status, revision: base + 1 },
    preview: { ...scene().preview({}), number: 9, base: null },
  };
  fake.tree = { ...(fake.tree as object), registry: { title: 'b', author: 'disk' } };
  fake.revision = base + 1;
  deck.receive(change);
  expect(deck.registry).toEqual({ title: 'b' });
  deck.edit('note', [{ kind: 'set', path: ['registry', 'description'], value: 'x' }]);
  answered();
  await deck.settled();
  expect(onError).not.toHaveBeenCalled();
  expect(deck.status.revision).toBe(fake.revision);
  expect(deck.registry).toEqual({ title: 'b', author: 'disk', description: 'x' });
  expect(deck.tree).toEqual(fake.tree);
});
