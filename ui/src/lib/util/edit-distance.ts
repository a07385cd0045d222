// Guessing what a mistyped name was meant to be.

/** The nearest of the names, if it is near enough to have been meant; the first of equals. */
export function nearestName(typed: string, names: string[]): string | undefined {
  const most = typed.length <= 3 ? 1 : 2;
  let best: { name: string; far: number } | undefined;
  for (const name of names) {
    const far = editDistance(typed.toLowerCase(), name.toLowerCase(), most);
    if (far <= most && (!best || far < best.far)) best = { name, far };
  }
  return best?.name;
}

/** How many letters have to come, go or change; more than `most` is all the same. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? most + 1;
}
