// Lines that are pasted into an entry of a list, split as the core splits them in the prompt
// (prompt_edit/pasted_lines.rs): `tests/cases/pasted_lines.json` holds both to the same cases.

const BULLET = /^\s*[-*+•] /;
const NUMBER = /^\s*(\d{1,9})[.)] /;

/** How pasted lines are laid out. */
interface Layout {
  /** The first line goes on with what is before the caret. */
  joinsHead: boolean;
  /** The indentation of all lines, in characters. */
  margin: number;
  /** Of each line, whether it is part of the entry above. */
  nested: boolean[];
  /** The entries are numbered in order. */
  isNumbered: boolean;
}

const isBlank = (line: string): boolean => line.trim() === '';
const indentOf = (line: string): number => line.length - line.trimStart().length;

function numberOf(line: string): number | undefined {
  const digits = NUMBER.exec(line)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function layoutOf(lines: readonly string[], head: string, tail: string): Layout {
  const first = lines[0] ?? '';
  const mayJoin = head !== '' && !BULLET.test(first);
  const indents = lines.map((line) => (isBlank(line) ? undefined : indentOf(line)));
  const present = indents.filter((indent) => indent !== undefined);
  const margin = mayJoin || present.length === 0 ? 0 : Math.min(...present);
  // What follows a line break before the caret; a single space is one between words.
  if (indents.at(-1) === undefined && indentOf(tail) > 1)
    indents[indents.length - 1] = indentOf(tail);
  let isBehind = mayJoin;
  const nested: boolean[] = [];
  const begun: (number | undefined)[] = [];
  for (const [at, indent] of indents.entries()) {
    const line = lines[at] ?? '';
    const isNested = isBehind && at > 0 && indent !== undefined && indent > margin;
    nested.push(isNested);
    isBehind ||= !isBlank(line.replace(BULLET, ''));
    if (!isNested && !isBlank(line)) begun.push(numberOf(line));
  }
  const isFirstNumbered = numberOf(first) !== undefined;
  if (mayJoin && !isFirstNumbered && !isBlank(first)) begun.shift();
  const [number] = begun;
  const isNumbered =
    begun.length > 1 &&
    number !== undefined &&
    begun.every((each, after) => each === number + after);
  return { joinsHead: mayJoin && !(isFirstNumbered && isNumbered), margin, nested, isNumbered };
}

/**
 * The entries that pasted lines make of an entry, of which `head` stands before the caret and `tail`
 * after it. Each line begins an entry, but indented ones, which stay in the entry above with their
 * indentation. A bullet before an entry is left out, and so are the numbers of lines that are numbered
 * in order. The first and the last line join what is there, but a first line with a marker begins an
 * entry.
 */
export function pastedEntries(head: string, pasted: string, tail: string): string[] {
  const lines = pasted.split(/\r?\n/);
  const { joinsHead, margin, nested, isNumbered } = layoutOf(lines, head, tail);
  const last = lines.length - 1;
  const entries = head !== '' && !joinsHead ? [head] : [];
  let isBehindBlank = false;
  for (const [at, line] of lines.entries()) {
    const joinsTail = at === last && tail !== '';
    const end = (words: string) => (joinsTail ? words + tail : words.trimEnd());
    if (at === 0 && joinsHead) {
      entries.push(head + end(line));
    } else if (nested[at]) {
      const above = entries.pop() ?? '';
      entries.push(`${above}${isBehindBlank ? '\n\n' : '\n'}${end(line.slice(margin))}`);
    } else {
      const unmarked = line.replace(BULLET, '');
      const words = isNumbered && unmarked === line ? line.replace(NUMBER, '') : unmarked;
      const entry = end(words.trimStart());
      if (joinsTail || entry !== '') entries.push(entry);
    }
    isBehindBlank = at > 0 && isBlank(line);
  }
  return entries.length > 0 ? entries : [''];
}
