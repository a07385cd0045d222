// Words about what is typed into a field and cannot be read yet, such as unfinished JSON.
import type { JsonFault, JsonPart } from '../util/json-text';
import { enumeration } from './enumeration';

/** What a fault expects; as the core says it of files. */
const PARTS: Record<JsonPart, string> = {
  value: 'a value',
  word: 'true, false or null',
  key: 'a key in double quotes',
  colon: '`:`',
  list_end: '`,` or `]`',
  object_end: '`,` or `}`',
  digit: 'a digit',
  escape: 'an escape: one of " \\ / b f n r t u',
  hex: 'four hexadecimal digits',
};

function reasonOf(fault: JsonFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'the text is empty';
    case 'open_string':
      return 'a string has no closing quote';
    case 'bare_control':
      return 'a line break or control character in a string; write it as an escape, such as \\n';
    case 'more':
      return 'text follows the value';
    case 'expected':
      return `expected ${PARTS[fault.part]}, found ${JSON.stringify(fault.found)}`;
    case 'ended':
      return fault.open
        ? `the text ends in the middle of the ${fault.open.container}`
        : 'the text ends in the middle of a value';
    case 'duplicate_key':
      return `duplicate key ${JSON.stringify(fault.key)}; keep one`;
    case 'inexact':
      return `this would become ${fault.number}, as long whole numbers are not exact`;
    case 'reformed':
      return `${fault.words} would be written as ${fault.number}, which prints differently`;
  }
}

/** A field whose words cannot be read. */
interface Unread {
  label: string;
  /** The value that it has instead, in short; none if it has none. */
  value: string | undefined;
}

export const unread = {
  notJson: (fault: JsonFault) => {
    const begin = fault.kind === 'ended' && fault.open;
    const { line, column } = begin || fault;
    const place = `line ${line}, column ${column}`;
    return `Not JSON yet: ${reasonOf(fault)}${begin ? ` that begins at ${place}` : ` (${place})`}.`;
  },
  /** Follows the reason. */
  valueStays: (value: string | undefined) =>
    value === undefined ? 'It stays without a value.' : `The value stays ${value}.`,
  unreadField: (field: string) => `${field} is not valid yet.`,
  unreadNotSaved: (fields: Unread[]) => {
    const kept = fields.flatMap(({ label, value }) =>
      value === undefined ? [] : [`${label} (${value})`],
    );
    const unset = fields.filter(({ value }) => value === undefined).map(({ label }) => label);
    const parts = [
      ...(kept.length > 0 ? [`with the last valid value of ${enumeration(kept)}`] : []),
      ...(unset.length > 0 ? [`without ${enumeration(unset)}`] : []),
    ];
    return `Saved ${parts.join(', and ')}: what is typed there is not valid yet.`;
  },
  showUnread: 'Show',
  /** Follows the place of a problem: the document it is in, if that is not the registry. */
  inDocument: { deck: '', call: ' of the call', checks: ' of the checks' },
  printsLastValid: (fields: string[]) =>
    `What is typed in ${enumeration(fields)} is not valid yet; the last valid value counts`,
} as const;
