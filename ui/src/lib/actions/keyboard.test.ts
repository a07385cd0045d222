// Keys that type, and keys that do something.
import { expect, test, vi } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import { actions } from './actions';
import { press } from './keyboard';
import { Studio } from '../state/studio.svelte';

const started = async (): Promise<Studio> => {
  const studio = new Studio(new FakeBackend(guides()).backend);
  await studio.start();
  return studio;
};

const pressed = (studio: Studio, key: string, modifiers: KeyboardEventInit = {}): boolean =>
  press(studio, new KeyboardEvent('keydown', { key, ...modifiers }));

test('no action takes a character from who types', async () => {
  const studio = await started();
  const keys = actions(studio).flatMap(({ key, also = [] }) => [...(key ? [key] : []), ...also]);
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => key.replace('Shift+', '').length === 1)).toEqual([]);
  for (const key of ['k', 'K', ' ', '/', '1', 'é']) expect(pressed(studio, key)).toBe(false);
  expect(studio.paletteOpen).toBe(false);
});

test('the same key with a modifier does something, as keys with names do', async () => {
  const studio = await started();
  for (const modifiers of [{ ctrlKey: true }, { metaKey: true }]) {
    expect(pressed(studio, 'k', modifiers)).toBe(true);
    expect(studio.paletteOpen).toBe(true);
    studio.paletteOpen = false;
  }
  expect(pressed(studio, 'F1')).toBe(true);
  expect(studio.helpOpen).toBe(true);
});

test('a field with words takes its typing back, an empty one leaves undo to the document', async () => {
  const fake = new FakeBackend(guides());
  const studio = new Studio(fake.backend);
  await studio.start();
  studio.deck?.edit('Roll', [{ kind: 'set', path: ['seed'], value: 2 }]);
  const field = document.body.appendChild(document.createElement('input'));
  // The page of the tests has no such command.
  const takenBack = vi.fn(() => true);
  Object.assign(document, { execCommand: takenBack });
  field.addEventListener('keydown', (event) => void press(studio, event));
  const undo = () =>
    field.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }),
    );
  const undone = () => fake.calls.filter(({ name }) => name === 'undo').length;
  field.value = 'mood';
  undo();
  expect([takenBack.mock.calls.length, undone()]).toEqual([1, 0]);
  field.value = '';
  undo();
  await expect.poll(undone).toBe(1);
  Reflect.deleteProperty(document, 'execCommand');
  field.remove();
});
