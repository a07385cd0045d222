// Keys that type, and keys that do something.
import { expect, test } from 'vitest';
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

const pressed = (studio: Studio, key: string, held: KeyboardEventInit = {}): boolean =>
  press(studio, new KeyboardEvent('keydown', { key, ...held }));

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
  for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
    expect(pressed(studio, 'k', held)).toBe(true);
    expect(studio.paletteOpen).toBe(true);
    studio.paletteOpen = false;
  }
  expect(pressed(studio, 'F1')).toBe(true);
  expect(studio.helpOpen).toBe(true);
});
