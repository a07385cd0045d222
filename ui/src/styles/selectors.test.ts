// WebKit resolves styles again before every key and every insertion while a rule with `:has()` looks
// for a focus or an attribute below: thirteen of them delayed each keystroke by 2 to 3 ms.
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('no style looks at what is inside', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const found = Object.entries(sources).filter(([, source]) => source.includes(':has('));
  expect(found.map(([file]) => file)).toEqual([]);
});
