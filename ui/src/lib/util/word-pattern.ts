// Finding words in a text: a word that ends as a name does ends where the name does, so that an open
// `{name` is not found in `{names}`.
import { escapePattern } from './escape-pattern';

/** Finds any of the words; the first group is the one found. */
export function wordPattern(words: readonly string[]): RegExp {
  const escaped = words.map((word) => {
    const literal = escapePattern(word);
    return word.endsWith('}') ? literal : `${literal}(?![\\p{L}\\p{N}_}-])`;
  });
  return new RegExp(`(${escaped.join('|')})`, 'gu');
}
