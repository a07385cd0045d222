// The highlights of the browser, which happy-dom has none of: the words that are marked can be asked for.
class Highlight extends Set<Range> {
  priority = 0;
}

if ('document' in globalThis) {
  // Its `CSS` is another object each time.
  const css = Object.assign(CSS, { highlights: new Map<string, Highlight>() });
  Object.defineProperty(globalThis, 'CSS', { value: css, configurable: true });
  Object.assign(globalThis, { Highlight });
}

/** What is marked under a name. */
export const highlighted = (name: string): string[] =>
  [...((CSS.highlights.get(name) ?? []) as Iterable<Range>)].map(String);
