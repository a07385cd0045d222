// A stretch of the prompt as it is drawn: its parts by kind, in chunks of some lines.
import type { Segment } from '../ipc';
import { lineChunks } from '../util/line-chunks';
import { partsOf, type BracedName } from './blocks';

/** A part of a stretch that is drawn in one way. */
export interface DrawnPart {
  text: string;
  kind?: 'bullet' | 'fixed' | 'variable';
  /** The name in braces that is printed as written. */
  braced?: BracedName;
}

export interface SpotChunk {
  key: number;
  /** Whether it is lines of its own: the first chunk and the last one may share a line with what is
   * beside the stretch. */
  lines: boolean;
  parts: DrawnPart[];
}

/** A text of more letters or chunks takes seconds to lay out. */
const HUGE = { letters: 500_000, chunks: 400 };
/** How many letters a row has, about, where lines wrap. */
const ROW = 64;

/** Whether only the chunks of a text that are in sight are laid out. */
export function isHugeText(chunks: readonly SpotChunk[]): boolean {
  if (chunks.length > HUGE.chunks) return true;
  let letters = 0;
  for (const { parts } of chunks) for (const { text } of parts) letters += text.length;
  return letters > HUGE.letters;
}

/** About how many rows a chunk takes. */
export function rowsOf({ parts }: SpotChunk): number {
  const lines = parts
    .map(({ text }) => text)
    .join('')
    .replace(/\n$/, '')
    .split('\n');
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / ROW)), 0);
}

function drawnParts(piece: Segment): DrawnPart[] {
  const { text } = piece;
  if (piece.bullet) return [{ text, kind: 'bullet' }];
  if (piece.fixed) return [{ text, kind: 'fixed' }];
  if (piece.source?.variable !== undefined) return [{ text, kind: 'variable' }];
  return partsOf(piece);
}

/** A part that may be drawn in several; what explains a fixed part needs it whole. */
const isCut = ({ kind, braced }: DrawnPart): boolean =>
  braced === undefined && (kind === undefined || kind === 'variable');

/** Gives the chunks of pieces; those that did not change are the same objects as before. */
export function spotChunks(): (pieces: readonly Segment[]) => SpotChunk[] {
  const cut = lineChunks();
  let before = new Map<number, SpotChunk>();
  return (pieces) => {
    const parts = pieces.flatMap(drawnParts);
    // Line ends within a part that is drawn whole are none to cut at.
    const masked = parts.map((part) => (isCut(part) ? part.text : part.text.replaceAll('\n', ' ')));
    const lengths = cut(masked.join(''));
    const rest = parts.values();
    let part = rest.next().value;
    const chunks = lengths.map(({ key, text }, index): SpotChunk => {
      const taken: DrawnPart[] = [];
      let left = text.length;
      while (part && (left > 0 || part.text === '')) {
        const size = Math.min(left, part.text.length);
        const whole = size === part.text.length;
        taken.push(whole ? part : { ...part, text: part.text.slice(0, size) });
        part = whole ? rest.next().value : { ...part, text: part.text.slice(size) };
        left -= size;
      }
      return { key, lines: index > 0 && index < lengths.length - 1, parts: taken };
    });
    const same = chunks.map((chunk) => {
      const old = before.get(chunk.key);
      return old && isSame(old, chunk) ? old : chunk;
    });
    before = new Map(same.map((chunk) => [chunk.key, chunk]));
    return same;
  };
}

const isSame = (a: SpotChunk, b: SpotChunk): boolean =>
  a.lines === b.lines &&
  a.parts.length === b.parts.length &&
  a.parts.every((part, index) => {
    const other = b.parts[index];
    return (
      part.text === other?.text &&
      part.kind === other.kind &&
      part.braced?.name === other.braced?.name &&
      part.braced?.closed === other.braced?.closed
    );
  });
