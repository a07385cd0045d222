// Texts as numbered lines: whole, or as a difference with long unchanged stretches folded.
import type { Part } from '../ipc';

/** One line to show; a hidden one replaces `count` unchanged lines. */
export interface Line {
  kind: 'same' | 'added' | 'removed' | 'hidden';
  text: string;
  number?: number;
  count: number;
}

/** Unchanged lines shown on each side of a change. */
const AROUND = 3;

/** Every line of a text with its number. */
export function plainLines(text: string): Line[] {
  return numbered(split(text));
}

/** The same, with the empty line behind a line break at the end: it is sent as well. */
export function wholeLines(text: string): Line[] {
  return numbered(text.split('\n'));
}

const numbered = (lines: string[]): Line[] =>
  lines.map((line, index) => ({ kind: 'same', text: line, number: index + 1, count: 1 }));

/** The lines of a difference, numbered as on their side; unchanged stretches are folded. */
export function diffLines(parts: Part[]): Line[] {
  const lines: Line[] = [];
  let left = 0;
  let right = 0;
  for (const part of parts) {
    for (const text of split(part.text)) {
      if (part.kind !== 'added') left += 1;
      if (part.kind !== 'removed') right += 1;
      lines.push({
        kind: part.kind,
        text,
        number: part.kind === 'removed' ? left : right,
        count: 1,
      });
    }
  }
  return fold(lines);
}

function fold(lines: Line[]): Line[] {
  const near = new Set<number>();
  lines.forEach((line, index) => {
    if (line.kind === 'same') return;
    for (let at = index - AROUND; at <= index + AROUND; at += 1) near.add(at);
  });
  const folded: Line[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) {
      folded.push(line);
      continue;
    }
    const open = folded.at(-1);
    if (open?.kind === 'hidden') open.count += 1;
    else folded.push({ kind: 'hidden', text: '', count: 1 });
  }
  return folded;
}

function split(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
