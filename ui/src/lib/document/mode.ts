// The runtime mode of an array field: reading and writing its short text form.

/** What an array field prints. */
export type Mode =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'entries'; entries: number[] }
  | { kind: 'random'; count: number };

/** Reads a mode. What can't be read acts as `all`, a bad index as 0, a bad count as 1. */
export function parseMode(text: string): Mode {
  const [head = '', tail = ''] = split(text.trim());
  switch (head) {
    case 'none':
      return { kind: 'none' };
    case 'index':
      return { kind: 'entries', entries: [whole(tail) ?? 0] };
    case 'indices':
      return {
        kind: 'entries',
        entries: tail
          .split(',')
          .map(whole)
          .filter((index) => index !== undefined),
      };
    case 'random':
      return { kind: 'random', count: Math.max(whole(tail) ?? 1, 1) };
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

function split(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

function whole(text: string): number | undefined {
  return /^\s*[+-]?\d+\s*$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
