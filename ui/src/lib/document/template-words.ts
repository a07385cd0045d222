// Names and expressions in the Jinja tags of a text: where one is, and another in its place.
import { escapePattern } from '../util/escape-pattern';

const TAG = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

/** Finds an expression where it is no part of a longer name, of an attribute or of a text. */
const expressionPattern = (expression: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_.'"])${escapePattern(expression)}(?![\\p{L}\\p{N}_'"])`, 'gu');

/** Where an expression is first written in the tags of a text; -1 if it is not. */
export function findInTags(text: string, expression: string): number {
  const pattern = expressionPattern(expression);
  for (const tag of text.matchAll(TAG)) {
    const at = tag[0].search(pattern);
    if (at >= 0) return tag.index + at;
  }
  return -1;
}

/** The text with another expression in the place of one, wherever its tags have it. */
export const replaceInTags = (text: string, expression: string, by: string): string =>
  text.replace(TAG, (tag) => tag.replace(expressionPattern(expression), () => by));
