// The hues of sections: kept by name, and never the same for two neighbours.
import { beforeEach, expect, test } from 'vitest';
import { assignColors, proposedColors, restoreColors, sectionColor } from './section-color.svelte';

beforeEach(() => restoreColors({}));

const huesOf = (names: string[]) => names.map((name) => sectionColor(name));

test('a hue is kept by name', () => {
  expect(assignColors(['role', 'rules'])).toEqual({ role: 9, rules: 10 });
  expect(assignColors(['rules', 'role'])).toBeUndefined();
  expect(huesOf(['role', 'rules', 'unknown'])).toEqual([9, 10, undefined]);
});

test('neighbours differ, also those that other registries gave the same hue', () => {
  restoreColors({ role: 9, rules: 9, tone: 3 });
  const names = ['role', 'rules', 'greeting', 'tone', 'personas'];
  const proposed = proposedColors(names);
  assignColors(names);
  const hues = huesOf(names);
  hues.forEach((hue, at) => expect(hue, names[at]).not.toBe(hues[at + 1]));
  expect(names.map(proposed), 'as it was proposed').toEqual(hues);
  expect([hues[0], hues[4]]).toEqual([9, 3]);
});

test('more sections than hues', () => {
  const names = Array.from({ length: 30 }, (_, index) => `part_${String(index)}`);
  assignColors(names);
  const hues = huesOf(names);
  hues.forEach((hue, at) => expect(hue).not.toBe(hues[at + 1]));
});

test('a name that stands twice in a prompt has one hue', () => {
  expect(assignColors(['rules', 'rules'])).toEqual({ rules: 9 });
  expect(assignColors(['rules', 'rules'])).toBeUndefined();
});
