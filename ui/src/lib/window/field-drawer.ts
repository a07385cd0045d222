// A text in chunks of lines as a field, as the open stretch is and a long text on its card. Its nodes are
// made here and not by Svelte: input methods put text of their own among them.
import {
  isHugeText,
  rowsOf,
  spotChunks,
  type DrawnPart,
  type SpotChunk,
} from '$lib/document/spot-chunks';
import { replacementBetween, type TextRange } from '$lib/document/replacement';
import type { Segment } from '$lib/ipc';
import { exactDrop } from './exact-drag';
import { offsetOf } from './text-offsets';

/** White space that is drawn but not part of the pieces. */
interface Extra {
  at: number;
  text: string;
  /** The piece that it is drawn in; none between two of them. */
  piece?: Segment | undefined;
}

const span = (name: string, text: string): HTMLSpanElement => {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
};

/** What the element of a part is named, if it has one. */
const nameOf = ({ kind, braced }: DrawnPart): string | undefined =>
  kind ?? (braced ? 'undeclared-name' : undefined);

const isDrawnAs = (node: Node, name: string | undefined): node is Text | HTMLElement =>
  name === undefined
    ? node instanceof Text
    : node instanceof HTMLSpanElement && node.className === name;

/** Changes a text where it differs: the selection stays in the rest, and with nothing to change nothing
    is laid out again. */
function setText(node: Text | HTMLElement, text: string): void {
  if (node.textContent === text) return;
  const textNode = node instanceof Text ? node : node.firstChild;
  if (textNode instanceof Text && (textNode === node || node.childNodes.length === 1)) {
    const { start, end, text: words } = replacementBetween(textNode.data, text);
    textNode.replaceData(start, end - start, words);
  } else {
    node.textContent = text;
  }
}

/** Draws parts into an element; nodes that are drawn in the same way are changed and kept. */
function drawParts(parent: HTMLElement, parts: readonly DrawnPart[], ...rest: Node[]): void {
  const before = [...parent.childNodes];
  const nodes = parts.map((part, index): Node => {
    const name = nameOf(part);
    const old = before[index];
    if (!old || !isDrawnAs(old, name)) {
      return name === undefined ? document.createTextNode(part.text) : span(name, part.text);
    }
    setText(old, part.text);
    return old;
  });
  replaceDiffering(parent, [...nodes, ...rest]);
}

/** Pieces with white space that the prompt does not hold yet. */
function withExtra(pieces: readonly Segment[], extra: Extra | undefined): Segment[] {
  if (!extra) return [...pieces];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece === extra.piece) {
      const cut = extra.at - at;
      const text = piece.text.slice(0, cut) + extra.text + piece.text.slice(cut);
      return pieces.with(index, { ...piece, text, undeclared: [] });
    }
    if (!extra.piece && extra.at <= at) return pieces.toSpliced(index, 0, { text: extra.text });
    at += piece.text.length;
  }
  return [...pieces, { text: extra.text }];
}

/** Marks the elements of a value that lie in a range of the text of a field, and no other ones. */
export function markValue(field: HTMLElement, range: TextRange | undefined): void {
  for (const value of field.querySelectorAll('.variable')) {
    const at = offsetOf(field, value, 0);
    value.toggleAttribute('data-edited', !!range && range.start <= at && at < range.end);
  }
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
 * Draws pieces into a field, with white space that the prompt does not hold yet. Nodes that show what
 * they should, as after a letter that the browser wrote itself, are left alone. The line end before
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
    const name = chunk.lines ? 'lines' : '';
    const isKept = before?.hidesEnd === hidesEnd && before.element.className === name;
    const isSame = isKept && before.chunk === chunk;
    if (isSame && before.element.textContent === textOf(chunk.parts)) return before.element;
    const element = isKept ? before.element : span(name, '');
    const first = element.firstChild;
    const words = first instanceof HTMLElement ? first : span('words', '');
    drawParts(words, hidesEnd ? withoutEnd(chunk.parts) : chunk.parts);
    const end = hidesEnd ? [element.children[1] ?? span('line-end', '\n')] : [];
    replaceDiffering(element, [words, ...end]);
    return element;
  };

  return (field, pieces, extra) => {
    const drawnPieces = withExtra(pieces, extra);
    const chunks = chunksOf(drawnPieces);
    // A line break at the end has no line of its own without something after it.
    const last = drawnPieces.findLast(({ text }) => text !== '');
    const broken = last?.text.endsWith('\n')
      ? [field.querySelector('br') ?? document.createElement('br')]
      : [];
    const isHuge = isHugeText(chunks);
    field.toggleAttribute('data-huge', isHuge);
    if (chunks.length === 1) {
      drawn = new Map();
      drawParts(
        field,
        chunks.flatMap(({ parts }) => parts),
        ...broken,
      );
    } else {
      drawn = new Map(
        chunks.map((chunk, index) => {
          const next = chunks[index + 1];
          const isLineEnd = chunk.parts.findLast(({ text }) => text !== '')?.text.endsWith('\n');
          const hidesEnd = isLineEnd === true && next !== undefined && (chunk.lines || next.lines);
          const element = elementOf(chunk, hidesEnd);
          if (isHuge && chunk.lines) element.style.setProperty('--rows', String(rowsOf(chunk)));
          return [chunk.key, { chunk, hidesEnd, element }];
        }),
      );
      const elements = [...drawn.values()].map(({ element }) => element);
      replaceDiffering(field, [...elements, ...broken]);
    }
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

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** What an input puts into a field. */
export function insertedText(event: InputEvent): string {
  const text = withLineFeeds(event.data ?? event.dataTransfer?.getData('text/plain') ?? '');
  return event.inputType === 'insertFromDrop' ? exactDrop(text) : text;
}

/** What a paste puts into a field. To say so by an input WebKit first makes a document of the text, for which
    it takes two seconds where that has 500 KB. */
export const pastedText = (event: ClipboardEvent): string =>
  withLineFeeds(event.clipboardData?.getData('text/plain') ?? '');
