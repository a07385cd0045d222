// A value in one line.

/** Characters of a longer value. */
const MOST = 40;

/** A value as JSON, cut where it is long; undefined for none. */
export function shortJson(value: unknown): string | undefined {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return undefined;
  const characters = [...json];
  return characters.length <= MOST ? json : `${characters.slice(0, MOST - 1).join('')}…`;
}
