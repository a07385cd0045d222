/** Gives the entries of a map other keys, in the same order. */
export function rekey<T>(map: Map<string, T>, newKey: (key: string) => string): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) map.set(newKey(key), value);
}
