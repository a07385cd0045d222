import { expect, test } from 'vitest';
import { best, match } from './match';

/** The names of each group that match, best group first. */
const found = (letters: string, ...groups: string[][]) =>
  best(
    groups.map((names) => ({
      rows: names
        .flatMap((name) => {
          const hit = match(name, letters);
          return hit ? [{ name, hit }] : [];
        })
        .toSorted((a, b) => b.hit.score - a.hit.score),
    })),
  ).map(({ rows }) => rows.map(({ name }) => name));

test('the name that begins with the letters comes first, whatever its group', () => {
  expect(found('pers', ['Open Support Desk'], ['personas.dry', 'personas'])).toEqual([
    ['personas.dry', 'personas'],
  ]);
  expect(found('roll', ['Unroll', 'Roll all'], ['Reroll'])).toEqual([
    ['Roll all', 'Unroll'],
    ['Reroll'],
  ]);
});

test('letters here and there match where nothing holds them as typed', () => {
  expect(found('lsd', ['Lock the seed'], ['personas'])).toEqual([['Lock the seed']]);
  expect(found('xyz', ['Lock the seed'])).toEqual([]);
});

test('nothing typed keeps the groups as they are', () => {
  expect(found('', ['b'], ['a'])).toEqual([['b'], ['a']]);
});
