// Cuts a long text after line ends into chunks that are laid out one by one. From one edit to the next
// only the chunk that was edited is another: WebKit lays out a paragraph of text as a whole, in time
// proportional to its length, and takes none for the blocks beside it.

export interface LineChunk {
  /** Stays with the place in the text while the text is edited. */
  key: number;
  text: string;
}

/** A chunk ends with the first line that holds something after so many lines or UTF-16 code units. */
const LINES = 24;
const LENGTH = 1_500;

/** A line longer than this is cut within, as laying out a megabyte takes a second. */
export const LONGEST_LINE = 16_384;
/** A cut within a line stays while it is so far from the one before. */
const SHORTEST_CUT = LONGEST_LINE / 2;

/**
 * Gives the chunks of a text, which concatenated are the text; those that did not change are the same
 * objects as before.
 */
export function lineChunks(): (text: string) => LineChunk[] {
  let chunks: LineChunk[] = [];
  let keys = 0;
  return (text) => {
    const before = chunks;
    const lengthAt = (index: number): number => before[index]?.text.length ?? 0;
    let [first, from] = [0, 0];
    while (first < before.length && text.startsWith(before[first]?.text ?? '', from)) {
      from += lengthAt(first++);
    }
    if (first === before.length && from === text.length && first > 0) return before;
    // What follows the last chunk as it was may belong to its last line, or find room in it.
    const isAppended = first > 0 && from < text.length;
    const hasRoom = first === before.length && lengthAt(first - 1) < LENGTH;
    const mayEnd = (at: number, length: number): boolean =>
      isEnd(text, at) || (length >= SHORTEST_CUT && at < text.length && text[at - 1] !== '\n');
    if (isAppended && (hasRoom || !mayEnd(from, lengthAt(first - 1)))) from -= lengthAt(--first);
    let [last, to] = [before.length, text.length];
    while (
      last > first &&
      to - lengthAt(last - 1) >= from &&
      text.endsWith(before[last - 1]?.text ?? '', to)
    ) {
      to -= lengthAt(--last);
    }
    while (last < before.length && to > from && !mayEnd(to, to - from)) to += lengthAt(last++);
    const changed = cut(text.slice(from, to)).map((part, index) => {
      const old = first + index < last ? before[first + index] : undefined;
      return { key: old?.key ?? (keys += 1), text: part };
    });
    chunks = [...before.slice(0, first), ...changed, ...before.slice(last)];
    if (chunks.length === 0) chunks = [{ key: (keys += 1), text }];
    return chunks;
  };
}

/** Whether a chunk may end here: behind a line that holds something, so that its end can be hidden. */
const isEnd = (text: string, at: number): boolean =>
  at > 1 && text[at - 1] === '\n' && text[at - 2] !== '\n';

/** Cuts a text that is much longer than a chunk; less stays whole, so that chunks do not fall apart. */
function cut(text: string): string[] {
  const ends = lineEnds(text);
  if (text.length <= 2 * LENGTH && ends.length <= 2 * LINES) return text === '' ? [] : [text];
  const parts: string[] = [];
  let [from, lines] = [0, 0];
  for (const end of ends) {
    lines += 1;
    const isWithin = text[end - 1] !== '\n';
    if (!isWithin && (!isEnd(text, end) || (lines < LINES && end - from < LENGTH))) continue;
    parts.push(text.slice(from, end));
    [from, lines] = [end, 0];
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Where lines end, and where long ones are cut: behind a space if there is one. */
function lineEnds(text: string): number[] {
  const ends: number[] = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from) + 1;
    const whole = end > 0 ? end : text.length;
    while (whole - from > LONGEST_LINE + SHORTEST_CUT) {
      const most = from + LONGEST_LINE;
      const space = text.lastIndexOf(' ', most - 1) + 1;
      from = space > from + SHORTEST_CUT ? space : most + Number(isWithinPair(text, most));
      ends.push(from);
    }
    if (end > 0) ends.push(end);
    from = whole;
  }
  return ends;
}

const isWithinPair = (text: string, at: number): boolean => /^[\uDC00-\uDFFF]/.test(text[at] ?? '');
