// Keys for rows that are known by a name the author can change: a row that is renamed is still the
// same row, and what has the focus in it keeps it.

/** Gives each name its key. A list in which one name alone is another has renamed that row. */
export function renamedKeys<T>(): (names: T[]) => number[] {
  let last: T[] = [];
  let keys: number[] = [];
  let used = 0;
  return (names) => {
    const other = names.flatMap((name, index) => (name === last[index] ? [] : [index]));
    const renamed = names.length === last.length && other.length === 1;
    if (other.length > 0 || names.length !== last.length) {
      const known = new Map(last.map((name, index) => [name, keys[index]]));
      keys = renamed ? keys : names.map((name) => known.get(name) ?? (used += 1));
      last = names;
    }
    return keys;
  };
}
