// WebKit compares a container with a condition in pixels of the display, and not of the page: zoomed in,
// a panel would pass for a wider one. A condition in rem follows the zoom, but not within calc().
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('the widths of container conditions are in rem', () => {
  const conditions = Object.values(sources).flatMap((source) => [
    ...source.matchAll(/@container ([^{]*)\{/g),
  ]);
  expect(conditions.length).toBeGreaterThan(0);
  for (const [, condition] of conditions) {
    expect(condition).toMatch(/\d+rem/);
    expect(condition).not.toMatch(/px|em\b(?<!rem)|calc/);
  }
});
