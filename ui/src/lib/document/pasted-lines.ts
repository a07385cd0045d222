// Lines that are pasted into an entry of a list, split as the core splits them in the prompt
// (prompt_edit/entries.rs): `tests/cases/pasted_lines.json` holds both to the same cases.

const MARKER = /^\s*(?:[-*+•]|\d+[.)]) /;

/**
 * The entries that pasted lines make of an entry, of which `head` stands before the caret and `tail`
 * after it. Blank lines and markers of lists are left out; the first and the last line join what is
 * there, but a first line with a marker begins an entry.
 */
export function pastedEntries(head: string, lines: string, tail: string): string[] {
  const all = lines.split(/\r?\n/);
  const last = all.length - 1;
  const begins = head === '' || MARKER.test(all[0] ?? '');
  const before = begins && head !== '' ? [head] : [];
  const entries = all.flatMap((line, at) => {
    const joinsHead = at === 0 && !begins;
    const joinsTail = at === last && tail !== '';
    let words = joinsHead ? line : line.replace(MARKER, '').trimStart();
    if (!joinsTail) words = words.trimEnd();
    if (joinsHead) words = head + words;
    if (joinsTail) words += tail;
    return joinsHead || joinsTail || words !== '' ? [words] : [];
  });
  const found = [...before, ...entries];
  return found.length > 0 ? found : [''];
}
