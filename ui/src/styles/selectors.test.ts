// WebKit resolves styles again before every key and every insertion while a rule with `:has()` looks
// for a focus or an attribute below: thirteen of them delayed each keystroke by 2 to 3 ms.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const styled = files.filter((file) => /\.(svelte|css)$/.test(file));

test('no style looks at what is inside', () => {
  expect(styled).toContain(join('styles', 'base.css'));
  expect(styled).toContain(join('components', 'card', 'CardFrame.svelte'));
  const found = styled.filter((file) => readFileSync(join(folder, file), 'utf8').includes(':has('));
  expect(found).toEqual([]);
});
