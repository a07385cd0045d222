// Moves the focus along the stretches of a text, of which only one is reached by Tab.

/** Goes where a key leads, from the stretch that has the focus. False for any other key. */
export function walk(holder: HTMLElement | undefined, stretches: string, key: string): boolean {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  const to = { Home: 0, End: -1 }[key];
  if (by === undefined && to === undefined) return false;
  const all = [...(holder?.querySelectorAll<HTMLElement>(stretches) ?? [])];
  const at = all.indexOf(document.activeElement as HTMLElement);
  all.at(to ?? Math.min(Math.max(at + (by ?? 0), 0), all.length - 1))?.focus();
  return true;
}
