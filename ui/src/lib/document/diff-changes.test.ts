// Counting the changes of a comparison.
import { expect, test } from 'vitest';
import type { PartKind } from '../ipc';
import { numberChanges } from './diff-changes';

const KINDS: Record<string, PartKind> = { '=': 'same', '-': 'removed', '+': 'added' };

test.each([
  ['', 0, []],
  ['=', 0, [undefined]],
  ['=-+=', 1, [undefined, 0, 0, undefined]],
  ['-=+', 2, [0, undefined, 1]],
  ['-+-+', 2, [0, 0, 1, 1]],
  ['+-', 2, [0, 1]],
  ['--++', 1, [0, 0, 0, 0]],
  ['=--=+', 2, [undefined, 0, 0, undefined, 1]],
])('%s has %i changes', (marks, changes, numbers) => {
  const parts = [...marks].map((mark) => ({ kind: KINDS[mark] ?? 'same', text: 'x' }));
  const found = numberChanges(parts);
  expect(found.changes).toBe(changes);
  expect(found.parts.map((part) => part.change)).toEqual(numbers);
});
