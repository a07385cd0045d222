import { expect, test } from 'vitest';

import { stableList } from './stable-list';

test('a list is the same object until an entry is another', () => {
  const stable = stableList<string>();
  const first = stable(['a', 'b']);
  expect(first).toEqual(['a', 'b']);
  expect(stable(['a', 'b'])).toBe(first);
  for (const other of [['a', 'c'], ['a'], ['a', 'b', 'c'], []]) {
    const next = stable(other);
    expect(next).toEqual(other);
    expect(stable([...other])).toBe(next);
  }
});
