// Selectors that WebKit is slow with.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const styles = new Map(
  files
    .filter((file) => /\.(svelte|css)$/.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
);

const stylesWith = (pattern: RegExp) =>
  [...styles].filter(([, style]) => pattern.test(style)).map(([file]) => file);

test('all styles are searched', () => {
  expect([...styles.keys()]).toContain(join('styles', 'base.css'));
  expect([...styles.keys()]).toContain(join('components', 'card', 'CardFrame.svelte'));
});

// WebKit resolves styles again before every key and every insertion while a rule with `:has()` looks
// for a focus or an attribute below: thirteen of them delayed each keystroke by 2 to 3 ms.
test('no style looks at what is inside', () => {
  expect(stylesWith(/:has\(/)).toEqual([]);
});

// An element and all around it are pointed at, pressed or hold the focus together. WebKit remembers such a rule
// by the classes beside the pseudo-class: within `:is()` and `:not()` it has none, so with something selected
// inside, each change resolves all styles of the window anew (350 ms in a list of 100,000 items, 1 ms without).
test('no style of what is inside an element depends on :hover, :active or :focus-within in :is() or :not()', () => {
  const nested =
    /:(?:is|not|where)\((?:[^(){}]|\([^()]*\))*:(?:hover|active|focus-within)\b(?:[^(){}]|\([^()]*\))*\)[^\s,{}>+~]*[\s>+~]+[^\s,{}>+~]/;
  expect('.a:not(.b, :hover) .c {').toMatch(nested);
  expect('.a:is(:hover, :global([d])) > .c {').toMatch(nested);
  expect('.a:is(:hover, :active) {').not.toMatch(nested);
  expect('tr:not(.section):hover td {').not.toMatch(nested);
  expect(stylesWith(nested)).toEqual([]);
});
