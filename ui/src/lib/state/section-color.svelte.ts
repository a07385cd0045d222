// Which hue a section has. The well-known sections have theirs; any other takes the next free one
// and keeps it by name, until it stands beside a section of the same hue.

const KNOWN: Record<string, number> = {
  output_prompt_directions: 1,
  base_context: 2,
  personas: 3,
  sentiment: 4,
  static_injections: 5,
  runtime_injections: 6,
  examples: 7,
  prompt_endings: 8,
};

let assigned = $state.raw<Record<string, number>>({});

/** The hue of a section, 1 to 12; undefined until one was assigned. */
export function sectionColor(section: string | undefined): number | undefined {
  if (section === undefined) return undefined;
  return KNOWN[section] ?? (Object.hasOwn(assigned, section) ? assigned[section] : undefined);
}

/** Takes over the hues that were assigned before. */
export function restoreColors(tints: Record<string, number>): void {
  assigned = tints;
}

/** Gives a section the hue of another. Returns the hues to keep, or undefined when none is new. */
export function inheritColor(from: string, to: string): Record<string, number> | undefined {
  const hue = sectionColor(from);
  if (hue === undefined || sectionColor(to) === hue || Object.hasOwn(KNOWN, to)) return undefined;
  assigned = { ...assigned, [to]: hue };
  return assigned;
}

/** Gives each of a registry's sections a hue. Returns the hues to keep, or undefined when none is new. */
export function assignColors(sections: string[]): Record<string, number> | undefined {
  const next = withColors(sections);
  if (next === assigned) return undefined;
  assigned = next;
  return next;
}

/** The hues that sections would have, without assigning any: for what is no registry yet. */
export function proposedColors(sections: string[]): (section: string) => number | undefined {
  const proposed = withColors(sections);
  return (section) => KNOWN[section] ?? proposed[section];
}

/** The assigned hues with those that sections lack, or share with a neighbour; the very same when none
    is new. */
function withColors(sections: string[]): Record<string, number> {
  const uses = new Map<number, number>();
  for (const name of sections) {
    const hue = sectionColor(name);
    if (hue !== undefined) uses.set(hue, (uses.get(hue) ?? 0) + 1);
  }
  const next = { ...assigned };
  const hueOf = (name: string | undefined) =>
    name === undefined
      ? undefined
      : (KNOWN[name] ?? (Object.hasOwn(next, name) ? next[name] : undefined));
  let isNew = false;
  sections.forEach((name, at) => {
    const sectionHue = hueOf(name);
    const [before, after] = [sections[at - 1], sections[at + 1]];
    const [above, below] = [before, after].map((beside) =>
      beside === name ? undefined : hueOf(beside),
    );
    // Of two assigned ones the second gives way; a well-known one never does.
    const gives =
      sectionHue === above || (sectionHue === below && Object.hasOwn(KNOWN, after ?? ''));
    if (Object.hasOwn(KNOWN, name) || (sectionHue !== undefined && !gives)) return;
    // The hues past the well-known eight come first, then whatever is used least.
    const free = [9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8].filter(
      (hue) => hue !== above && hue !== below,
    );
    const hue = free.reduce((best, each) =>
      (uses.get(each) ?? 0) < (uses.get(best) ?? 0) ? each : best,
    );
    uses.set(hue, (uses.get(hue) ?? 0) + 1);
    next[name] = hue;
    isNew = true;
  });
  return isNew ? next : assigned;
}
