import { expect, test } from 'vitest';

import { kept } from './kept';

test('a list is the same object until an entry is another', () => {
  const keep = kept<string>();
  const first = keep(['a', 'b']);
  expect(first).toEqual(['a', 'b']);
  expect(keep(['a', 'b'])).toBe(first);
  for (const other of [['a', 'c'], ['a'], ['a', 'b', 'c'], []]) {
    const next = keep(other);
    expect(next).toEqual(other);
    expect(keep([...other])).toBe(next);
  }
});
