import { expect, test } from 'vitest';
import { destructiveMatch, fuzzyMatch, matchCandidates, rankGroups } from './fuzzy-match';

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

test('the whole name, then its beginning, a whole word, the beginning of one, typed words, the rest', () => {
  const names = ['Unsave', 'Save', 'Saver', 'Autosave: save', 'Turn on saved', 'Save to file'];
  expect(found('save', names)).toEqual([
    ['Save', 'Saver', 'Save to file', 'Autosave: save', 'Turn on saved', 'Unsave'],
  ]);
  expect(found('theme dark', ['Use the dark theme', 'thematic edark'])).toEqual([
    ['Use the dark theme'],
  ]);
});

test('what takes something away comes after all else that holds the words, and last here and there', () => {
  const offers = (letters: string) =>
    ['Delete personas.hype_host', 'personas.hype_host', 'Rename the persona']
      .flatMap((name) => {
        const hit = fuzzyMatch(name, letters);
        if (!hit) return [];
        return [{ name, hit: name.startsWith('Delete') ? destructiveMatch(hit) : hit }];
      })
      .toSorted((a, b) => b.hit.score - a.hit.score);
  const first = (letters: string) => offers(letters)[0]?.name;
  expect(first('hype')).toBe('personas.hype_host');
  expect(first('delete')).toBe('Delete personas.hype_host');
  expect(offers('eeps').map(({ name }) => name)).toEqual([
    'Rename the persona',
    'Delete personas.hype_host',
  ]);
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
