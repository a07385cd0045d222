import { expect, test } from 'vitest';
import { fuzzyMatch, matchCandidates, rankGroups } from './fuzzy-match';

/** The names of each group that match, best group first. */
const found = (letters: string, ...groups: string[][]) =>
  rankGroups(
    groups.map((names) => ({
      rows: names
        .flatMap((name) => {
          const hit = fuzzyMatch(name, letters);
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

test.each(['roll', 'ROLL ', 'rl', 'o', 'item_1', 'xyz', ''])(
  'what is not worth matching with %j would have been left out',
  (letters) => {
    const far = `${'a long way before '.repeat(9)}roll`;
    const names = ['Roll all', 'Unroll', far, 'Rename s.item_1', 'Rename s.item_12', 'r o l l'];
    const near = matchCandidates(
      names.map((name) => ({ name, lower: name.toLowerCase() })),
      letters,
    ).map(({ name }) => name);
    expect(found(letters, near)).toEqual(found(letters, names));
  },
);

test('where some names hold the letters, the others are not matched', () => {
  const named = ['roll', 'r o l l'].map((lower) => ({ lower }));
  expect(matchCandidates(named, 'roll')).toEqual([{ lower: 'roll' }]);
});
