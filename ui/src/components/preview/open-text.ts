// The text of the open stretch as a field: its nodes, and the selection in it as offsets. The nodes
// are made here and not by Svelte: input methods put text of their own among them.
import { partsOf } from '$lib/document/blocks';
import type { Segment } from '$lib/ipc';
import type { OpenSelection } from '$lib/state/prompt-editing.svelte';

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

function nodesOf(piece: Segment): Node[] {
  if (piece.fixed) return [span('fixed', piece.text)];
  if (piece.source?.variable !== undefined) return [span('variable', piece.text)];
  return partsOf(piece).map(({ text, braced }) =>
    braced ? span('undeclared-name', text) : document.createTextNode(text),
  );
}

/** Draws pieces into a field, with white space that the prompt does not hold yet. */
export function draw(field: HTMLElement, pieces: readonly Segment[], extra?: Extra): void {
  const nodes: Node[] = [];
  let at = 0;
  let left = extra;
  for (const piece of pieces) {
    const to = at + piece.text.length;
    if (left && left.at <= to) {
      const cut = left.at - at;
      const words = piece.text.slice(0, cut) + left.text + piece.text.slice(cut);
      nodes.push(...nodesOf({ ...piece, text: words, undeclared: [] }));
      left = undefined;
    } else {
      nodes.push(...nodesOf(piece));
    }
    at = to;
  }
  if (left) nodes.push(document.createTextNode(left.text));
  const text = nodes.map((node) => node.textContent).join('');
  // A line break at the end has no line of its own without something after it.
  if (text.endsWith('\n')) nodes.push(document.createElement('br'));
  field.replaceChildren(...nodes);
}

/** The offset of a point of the document in the text of a field. */
export function offsetOf(field: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(field, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** The point of the document at an offset of a field; between two texts the end of the first. */
function pointAt(field: HTMLElement, offset: number): [Node, number] {
  const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
  let left = offset;
  let last: Text | undefined;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    if (left <= node.data.length) return [node, left];
    left -= node.data.length;
    last = node;
  }
  return last ? [last, last.data.length] : [field, 0];
}

/** The selection in a field, when it is there. */
export function selectionIn(field: HTMLElement): OpenSelection | undefined {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
  if (!anchorNode || !focusNode || !field.contains(anchorNode) || !field.contains(focusNode)) {
    return undefined;
  }
  const anchor = offsetOf(field, anchorNode, anchorOffset ?? 0);
  const focus = offsetOf(field, focusNode, focusOffset ?? 0);
  return anchor <= focus
    ? { start: anchor, end: focus }
    : { start: focus, end: anchor, backward: true };
}

export const rangeIn = (field: HTMLElement, range: StaticRange | Range): OpenSelection => ({
  start: offsetOf(field, range.startContainer, range.startOffset),
  end: offsetOf(field, range.endContainer, range.endOffset),
});

/** Puts the selection into a field, unless it stands there. */
export function selectIn(field: HTMLElement, { start, end, backward }: OpenSelection): void {
  const found = selectionIn(field);
  if (found?.start === start && found.end === end && found.backward === backward) return;
  const [anchor, focus] = backward ? [end, start] : [start, end];
  getSelection()?.setBaseAndExtent(...pointAt(field, anchor), ...pointAt(field, focus));
}
