// The runtime mode of an array field: reading and writing its short text form.

/** What an array field prints. */
export type Mode =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'entries'; entries: number[] }
  | { kind: 'random'; count: number };

/**
 * Reads a mode as the engine does; `tests/cases/section_settings.json` holds both to it. What can't
 * be read acts as `all`, a bad index as 0, a bad count as 1.
 */
export function parseMode(text: string): Mode {
  if (text === 'none') return { kind: 'none' };
  const colon = text.indexOf(':') + 1;
  const tail = text.slice(colon);
  switch (text.slice(0, colon)) {
    case 'index:':
      return { kind: 'entries', entries: [integer(tail) ?? 0] };
    case 'indices:':
      return {
        kind: 'entries',
        entries: tail
          .split(',')
          .map(integer)
          .filter((index) => index !== undefined),
      };
    case 'random:':
      return { kind: 'random', count: Math.max(integer(tail) ?? 1, 1) };
    default:
      return { kind: 'all' };
  }
}

/** Writes a mode. */
export function writeMode(mode: Mode): string {
  switch (mode.kind) {
    case 'entries':
      return mode.entries.length === 1
        ? `index:${mode.entries[0]}`
        : `indices:${mode.entries.join(',')}`;
    case 'random':
      return `random:${mode.count}`;
    default:
      return mode.kind;
  }
}

/** An integer as Python's `int` reads one. */
function integer(text: string): number | undefined {
  if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(text)) return undefined;
  return Number.parseInt(text.replaceAll('_', ''), 10);
}
