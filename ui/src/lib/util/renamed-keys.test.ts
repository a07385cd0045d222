import { expect, test } from 'vitest';
import { renamedKeys } from './renamed-keys';

test('a renamed row keeps its key, one that is added or deleted changes no other key', () => {
  const keysOf = renamedKeys<string | null>();
  const [none, one, two] = keysOf([null, 'a', 'b']);
  expect(new Set([none, one, two]).size).toBe(3);
  expect(keysOf([null, 'a', 'b'])).toEqual([none, one, two]);
  expect(keysOf([null, 'z', 'b'])).toEqual([none, one, two]);
  expect(keysOf([null, 'b'])).toEqual([none, two]);
  const added = keysOf([null, 'c', 'b']);
  expect(added).toEqual([none, added[1], two]);
  expect([none, one, two]).not.toContain(added[1]);
  expect(keysOf([null, 'b', 'c'])).toEqual([none, two, added[1]]);
});
