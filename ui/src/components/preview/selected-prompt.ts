// What is selected of a drawn prompt, to the byte: the blank lines between its bands are drawn as space,
// which a browser does not copy. And a range of it as what is selected.
import type { Block } from '$lib/document/blocks';
import { startsOf, wordsOf } from '$lib/document/open-spot';
import type { OpenSelection, TextRange } from '$lib/document/replacement';
import type { Segment } from '$lib/ipc';
import { offsetOf, pointAt } from '$lib/window/text-offsets';
import { elementOf } from './spot-elements';

/** Where each block begins in the prompt. */
function blockStarts(blocks: readonly Block[], segments: readonly Segment[]): number[] {
  const starts = startsOf(segments);
  return blocks.map(({ spots }) => {
    // What leads the first piece in on its line is a copy of glue.
    let lead = 0;
    for (const piece of spots.flatMap(({ pieces }) => pieces)) {
      const start = starts.get(piece);
      if (start !== undefined) return start - lead;
      lead += piece.text.length;
    }
    return 0;
  });
}

const blockElements = (holder: HTMLElement): HTMLElement[] => [
  ...holder.querySelectorAll<HTMLElement>(':scope > [data-near]'),
];

/** What is selected of the prompt that is drawn in an element; undefined when nothing in it is. */
export function selectedRange(
  holder: HTMLElement,
  blocks: readonly Block[],
  segments: readonly Segment[],
): TextRange | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const { startContainer, startOffset, endContainer, endOffset } = range;
  if (!holder.contains(startContainer) || !holder.contains(endContainer)) return undefined;
  const elements = blockElements(holder);
  const starts = blockStarts(blocks, segments);
  const place = (node: Node, offset: number): number => {
    const point = document.createRange();
    point.setStart(node, offset);
    const at = elements.findLastIndex((each) => point.comparePoint(each, 0) <= 0);
    const element = elements[at];
    if (!element) return 0;
    const within = Math.min(offsetOf(element, node, offset), element.textContent.length);
    return (starts[at] ?? 0) + within;
  };
  return { start: place(startContainer, startOffset), end: place(endContainer, endOffset) };
}

/** The selected text of the prompt that is drawn in an element; undefined when nothing in it is selected. */
export function selectedPrompt(
  holder: HTMLElement,
  blocks: readonly Block[],
  segments: readonly Segment[],
): string | undefined {
  const range = selectedRange(holder, blocks, segments);
  return range && wordsOf(segments).slice(range.start, range.end);
}

/** Selects a range of the prompt that is drawn in an element, with the focus where it ends. */
export function selectRange(
  holder: HTMLElement,
  blocks: readonly Block[],
  segments: readonly Segment[],
  { start, end, backward }: OpenSelection,
): void {
  const elements = blockElements(holder);
  const starts = blockStarts(blocks, segments);
  const pointOf = (at: number, isIn: (blockStart: number) => boolean): [Node, number] => {
    const block = starts.findLastIndex(isIn);
    const element = elements[block];
    return element ? pointAt(element, at - (starts[block] ?? 0)) : [holder, 0];
  };
  const from = pointOf(start, (position) => position <= start);
  const to = pointOf(end, (position) => position < end);
  // First: WebKit drops the selection when the focus leaves a field.
  elementOf(to[0])?.focus({ preventScroll: true });
  getSelection()?.setBaseAndExtent(...(backward ? to : from), ...(backward ? from : to));
}
