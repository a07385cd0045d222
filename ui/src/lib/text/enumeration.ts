/** Words as a sentence lists them: "a", "a and b", "a, b and c". */
export const enumeration = (words: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${conjunction} `);
