// Words found in lines of text, case aside.
import { escapePattern } from '../util/escape-pattern';
import type { Line } from './diff-lines';

/** Where words are in a line, in UTF-16 units. */
export interface LineHit {
  line: number;
  start: number;
  end: number;
}

/** Every place of some words in the lines that are shown. */
export function lineHits(lines: readonly Line[], words: string): LineHit[] {
  if (words === '') return [];
  const pattern = new RegExp(escapePattern(words), 'giu');
  return lines.flatMap(({ kind, text }, line) =>
    kind === 'hidden'
      ? []
      : [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
          line,
          start: index,
          end: index + found.length,
        })),
  );
}

/** A part of a line, and the hit that it is. */
export interface LinePart {
  text: string;
  hit?: LineHit;
}

/** A line cut at its hits; the parts concatenated are its text. */
export function partsOfLine(text: string, hits: readonly LineHit[] = []): LinePart[] {
  const parts: LinePart[] = [];
  let from = 0;
  for (const hit of hits) {
    if (hit.start > from) parts.push({ text: text.slice(from, hit.start) });
    parts.push({ text: text.slice(hit.start, hit.end), hit });
    from = hit.end;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
