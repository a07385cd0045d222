// How the studio begins, and opening registries faster than the service answers.
import { expect, test } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import type { Backend, Event, Failure, OpenDocument } from '../ipc';
import { Studio } from './studio.svelte';

/** A studio whose files open when the test says so, in any order. */
function slow() {
  const { backend } = new FakeBackend(guides());
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const open = async (file: string): Promise<OpenDocument> => {
    asked.push(file);
    await new Promise<void>((answer) => answers.set(file, answer));
    return { ...(await backend.open(file)), document: file };
  };
  const get = (on: Backend, name: keyof Backend) => (name === 'open' ? open : on[name]);
  const studio = new Studio(new Proxy(backend, { get }));
  const answer = async (file: string) => {
    await expect.poll(() => answers.has(file)).toBe(true);
    answers.get(file)?.();
    answers.delete(file);
  };
  return { studio, asked, answer };
}

test('a registry asked for while it is being opened is opened once', async () => {
  const { studio, asked, answer } = slow();
  const first = studio.open('a.json');
  const second = studio.open('a.json');
  await answer('a.json');
  await first;
  const deck = studio.deck;
  expect(deck?.document).toBe('a.json');
  await second;
  expect(asked).toEqual(['a.json']);
  expect(studio.deck).toBe(deck);
});

test('of registries asked for in a row the last one is shown', async () => {
  const { studio, asked, answer } = slow();
  const all = ['a.json', 'b.json', 'a.json'].map((file) => studio.open(file));
  for (const file of ['a.json', 'b.json', 'a.json']) await answer(file);
  await Promise.all(all);
  expect(asked).toEqual(['a.json', 'b.json', 'a.json']);
  expect(studio.deck?.document).toBe('a.json');
});

/** A studio whose service begins, or opens, in another way. */
function other(calls: (fake: FakeBackend) => Partial<Backend>) {
  const fake = new FakeBackend(guides());
  const recordedCalls = calls(fake);
  const get = (on: Backend, name: keyof Backend) => recordedCalls[name] ?? on[name];
  return { fake, studio: new Studio(new Proxy(fake.backend, { get })) };
}

test('a first document that cannot be opened says why, and the folder is there', async () => {
  const failure = { code: 'invalid_json', message: 'expected a value at 1:2' };
  const { studio } = other(({ backend }) => ({
    start: async (onEvent) => ({
      ...(await backend.start(onEvent)),
      first: null,
      failure: failure as Failure,
    }),
  }));
  await studio.start();
  expect(studio.deck).toBeNull();
  expect(studio.problem).toBe('Expected a value at 1:2');
  expect(studio.workspace?.registries).toHaveLength(1);
});

test('events for a document that is still opening are kept', async () => {
  const lint = (document: string) =>
    ({ kind: 'lint', document, revision: 0, diagnostics: [] }) as Event;
  const { fake, studio } = other((on) => ({
    start: async (onEvent) => {
      const begun = await on.backend.start(onEvent);
      on.emit(lint('guides.json'));
      return begun;
    },
    open: async (file) => {
      const opened = { ...(await on.backend.open(file)), document: file };
      if (file === 'other.json') on.emit(lint(file));
      return opened;
    },
  }));
  await studio.start();
  expect(studio.deck?.document).toBe('guides.json');
  expect(studio.preview.linted).toBe(true);
  await studio.open('other.json');
  expect(studio.preview.linted).toBe(true);

  // Of one that was left it is of no use when that is opened again: it says what it is by then.
  const left = { ...lint('third.json'), diagnostics: [{ message: 'old' }] } as Event;
  fake.emit(left);
  await studio.open('third.json');
  expect(studio.preview.linted).toBe(false);
});

test('what was locked can be unlocked after another registry was open', async () => {
  const { studio } = other((on) => ({
    open: async (file) => ({ ...(await on.backend.open(file)), document: file }),
  }));
  await studio.start();
  await studio.lock([{ kind: 'item', section: 'personas' }]);
  const locks = studio.view?.locks;
  expect(locks?.size).toBe(1);
  await studio.open('other.json');
  expect(studio.view?.locks.size).toBe(0);
  await studio.open('guides.json');
  expect(studio.view?.locks).toEqual(locks);
});

test('what was locked can be unlocked after the next start', async () => {
  const { fake, studio } = other(() => ({}));
  await studio.start();
  await studio.lock([{ kind: 'item', section: 'personas' }]);
  const locks = studio.view?.locks;
  expect(locks?.size).toBe(1);
  await expect.poll(() => fake.views.size).toBe(1);
  const next = new Studio(fake.backend);
  await next.start();
  expect(next.view?.locks).toEqual(locks);
});

test('a view that was left is not kept for the registry of the same name in another folder', async () => {
  const { fake, studio } = other(() => ({}));
  await studio.start();
  const left = studio.view;
  left?.show('json');
  const opening = studio.openFolder('/ferries', null);
  left?.texts.set('snapshot', '1', 'A panel that closes');
  await opening;
  left?.keep();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const storedView = fake.views.get('guides.json');
  expect(storedView?.tab).toBe('json');
  expect(storedView?.unsent).toEqual({ 'snapshot/1': 'A panel that closes' });
  expect(fake.views.has('/ferries/guides.json')).toBe(false);
});
