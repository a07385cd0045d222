// Which name typed words make, and why no token can refer to one; the characters are the core's.
import { NAME_SEPARATORS, NAME_WHITE_SPACE } from '../ipc/generated/constants';
import { text } from '../text';
import { unbraced } from './registry';

const EDGES = new RegExp(`^[${NAME_WHITE_SPACE}]+|[${NAME_WHITE_SPACE}]+$`, 'g');
const GAPS = new RegExp(`[${NAME_WHITE_SPACE}]+`, 'g');

/** The name of a section, item or field that typed words make, as the core's `name_from` does. */
export function nameFrom(typed: string): string {
  return typed.replace(EDGES, '').replace(GAPS, '_');
}

/** The name of a variable that typed words make, as the core's `variable_name_from` does. */
export function variableNameFrom(typed: string): string {
  return nameFrom(unbraced(typed.replace(EDGES, '')));
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
