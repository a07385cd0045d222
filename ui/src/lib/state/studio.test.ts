// Opening registries faster than the service answers.
import { expect, test } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import type { Backend, OpenDocument } from '../ipc';
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
