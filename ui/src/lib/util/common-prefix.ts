// Where texts that begin alike begin to differ.

/** How far before the difference a line may begin to be shown from there. */
const NEAR = 60;

/**
 * The place to show texts from so that what tells them apart is in sight: the line on which the
 * first difference is, or the word when the line began long before. Zero for a single text.
 */
export function differenceStart(texts: string[]): number {
  const [first = '', ...others] = texts;
  if (others.length === 0) return 0;
  let at = 0;
  while (at < first.length && others.every((other) => other[at] === first[at])) at += 1;
  const line = first.lastIndexOf('\n', at - 1) + 1;
  if (at - line <= NEAR) return line;
  return first.slice(0, at).search(/\S*$/);
}
