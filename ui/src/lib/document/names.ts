// How a typed name is taken over, and why no token can refer to one; the characters are the core's.
import { NAME_SEPARATORS, NAME_WHITE_SPACE } from '../ipc/generated/constants';
import { text } from '../text';

const EDGES = new RegExp(`^[${NAME_WHITE_SPACE}]+|[${NAME_WHITE_SPACE}]+$`, 'g');
const GAPS = new RegExp(`[${NAME_WHITE_SPACE}]+`, 'g');

/** The name that typed words make: no name has white space. */
export function nameFrom(typed: string): string {
  return typed.replace(EDGES, '').replace(GAPS, '_');
}

/** What is wrong with a name of a section, item or field; nothing when a token can refer to it. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return text.nameEmpty;
  for (const character of name) {
    if (NAME_SEPARATORS.includes(character)) return text.nameSeparator(character);
    if (NAME_WHITE_SPACE.includes(character)) return text.nameWhiteSpace;
  }
  return undefined;
}
