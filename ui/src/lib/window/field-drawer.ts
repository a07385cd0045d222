// A text in chunks of lines as a field, as the open stretch is and a long text on its card. Its nodes are
// made here and not by Svelte: input methods put text of their own among them.
import { spotChunks, type DrawnPart, type SpotChunk } from '$lib/document/spot-chunks';
import type { Segment } from '$lib/ipc';

/** White space that is drawn but not part of the pieces. */
interface Extra {
  at: number;
  text: string;
}

const span = (name: string, text: string): HTMLSpanElement => {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
};

const nodeOf = ({ text, kind, braced }: DrawnPart): Node => {
  if (kind !== undefined) return span(kind, text);
  return braced ? span('undeclared-name', text) : document.createTextNode(text);
};

/** Pieces with white space that the prompt does not hold yet. */
function withExtra(pieces: readonly Segment[], extra: Extra | undefined): Segment[] {
  if (!extra) return [...pieces];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const to = at + piece.text.length;
    if (extra.at <= to) {
      const cut = extra.at - at;
      const text = piece.text.slice(0, cut) + extra.text + piece.text.slice(cut);
      return pieces.with(index, { ...piece, text, undeclared: [] });
    }
    at = to;
  }
  return [...pieces, { text: extra.text }];
}

interface DrawnChunk {
  chunk: SpotChunk;
  /** Whether its line end is not laid out. */
  hidesEnd: boolean;
  element: HTMLElement;
}

const textOf = (parts: readonly DrawnPart[]): string => parts.map(({ text }) => text).join('');

/** Parts without the line end that is their last letter. */
function withoutEnd(parts: readonly DrawnPart[]): DrawnPart[] {
  const last = parts.findLastIndex(({ text }) => text !== '');
  return parts.map((part, index) =>
    index === last ? { ...part, text: part.text.slice(0, -1) } : part,
  );
}

/**
 * Draws pieces into a field, with white space that the prompt does not hold yet. Chunks of a long text
 * that did not change, and that no input method wrote into, keep their nodes. The line end before
 * or in a chunk that is a block is not laid out: behind it WebKit finds no line for the key Up to go to.
 */
export function fieldDrawer(): (
  field: HTMLElement,
  pieces: readonly Segment[],
  extra?: Extra,
) => void {
  const chunksOf = spotChunks();
  let drawn = new Map<number, DrawnChunk>();

  const elementOf = (chunk: SpotChunk, hidesEnd: boolean): HTMLElement => {
    const before = drawn.get(chunk.key);
    const isSame =
      before?.chunk === chunk &&
      before.hidesEnd === hidesEnd &&
      before.element.textContent === textOf(chunk.parts);
    if (isSame) return before.element;
    const element = span(chunk.lines ? 'lines' : '', '');
    const words = span('words', '');
    element.append(words);
    if (hidesEnd) {
      words.append(...withoutEnd(chunk.parts).map(nodeOf));
      element.append(span('line-end', '\n'));
    } else {
      words.append(...chunk.parts.map(nodeOf));
    }
    return element;
  };

  return (field, pieces, extra) => {
    const shown = withExtra(pieces, extra);
    const chunks = chunksOf(shown);
    const nodes: Node[] = [];
    if (chunks.length === 1) {
      drawn = new Map();
      nodes.push(...chunks.flatMap(({ parts }) => parts.map(nodeOf)));
    } else {
      drawn = new Map(
        chunks.map((chunk, index) => {
          const next = chunks[index + 1];
          const hidesEnd = next !== undefined && (chunk.lines || next.lines);
          return [chunk.key, { chunk, hidesEnd, element: elementOf(chunk, hidesEnd) }];
        }),
      );
      nodes.push(...[...drawn.values()].map(({ element }) => element));
    }
    // A line break at the end has no line of its own without something after it.
    const last = shown.findLast(({ text }) => text !== '');
    if (last?.text.endsWith('\n')) nodes.push(document.createElement('br'));
    replaceDiffering(field, nodes);
  };
}

/** Makes nodes the children of an element, and leaves those at its start and end that are among them. */
function replaceDiffering(parent: HTMLElement, nodes: readonly Node[]): void {
  const before = [...parent.childNodes];
  let start = 0;
  while (start < nodes.length && nodes[start] === before[start]) start += 1;
  let left = 0;
  const most = Math.min(nodes.length, before.length) - start;
  while (left < most && nodes.at(-1 - left) === before.at(-1 - left)) left += 1;
  for (const node of before.slice(start, before.length - left)) node.remove();
  const next = before[before.length - left] ?? null;
  for (const node of nodes.slice(start, nodes.length - left)) parent.insertBefore(node, next);
}

/** What an input puts into a field. */
export const insertedText = (event: InputEvent): string =>
  (event.data ?? event.dataTransfer?.getData('text/plain') ?? '').replaceAll('\r\n', '\n');
