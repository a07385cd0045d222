/**
 * Makes state that belongs to no component, though one asks for it: its derived values are read on after the
 * component is gone, as by the answer of a request that was on its way.
 */
export function unowned<T>(make: () => T): T {
  const made: T[] = [];
  $effect.root(() => {
    made.push(make());
  });
  return made[0] as T;
}
