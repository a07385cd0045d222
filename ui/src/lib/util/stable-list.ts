// Lists that stay the same objects while what is in them stays the same. They are recreated at every
// keystroke, and whatever is drawn from them is looked through only when one of them is another.

/** Gives the list it was given before for as long as the entries are the same. */
export function stableList<T>(): (next: T[]) => T[] {
  let last: T[] = [];
  return (next) => {
    if (next.length !== last.length || next.some((entry, index) => entry !== last[index])) {
      last = next;
    }
    return last;
  };
}
