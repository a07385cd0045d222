// Points, selections and boxes in the text of an element, which may be in several nodes, as offsets in
// UTF-16 units.
import type { OpenSelection } from '../document/replacement';
import { deletedBeside } from '../document/text-beside';

/**
 * The offset of a point of the document in the text of a field. WebKit's selection may keep an offset
 * that its node is too short for, after the texts in a field were drawn anew.
 */
export function offsetOf(field: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(field, 0);
  const length = node instanceof CharacterData ? node.length : node.childNodes.length;
  range.setEnd(node, Math.min(offset, length));
  return range.toString().length;
}

/** The point of the document at an offset of a field; between two texts of a line the end of the first. */
export function pointAt(field: HTMLElement, offset: number): [Node, number] {
  const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
  let left = offset;
  let last: Text | undefined;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    // Behind a line end is the start of the next line, which may be in another chunk.
    const isLineStart = left === node.data.length && node.data.endsWith('\n');
    if (left <= node.data.length && !isLineStart) return [node, left];
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

const rangeIn = (field: HTMLElement, range: StaticRange | Range): OpenSelection => ({
  start: offsetOf(field, range.startContainer, range.startOffset),
  end: offsetOf(field, range.endContainer, range.endOffset),
});

/** Puts the selection into a field; false where it stands there. */
export function selectIn(field: HTMLElement, { start, end, backward }: OpenSelection): boolean {
  const found = selectionIn(field);
  if (found?.start === start && found.end === end && found.backward === backward) return false;
  const [anchor, focus] = backward ? [end, start] : [start, end];
  getSelection()?.setBaseAndExtent(...pointAt(field, anchor), ...pointAt(field, focus));
  return true;
}

/** The range of a field that an input replaces, if the browser says it. */
export function targetIn(field: HTMLElement, event: InputEvent): OpenSelection | undefined {
  const [range] = event.getTargetRanges();
  const within =
    range && field.contains(range.startContainer) && field.contains(range.endContainer);
  if (!within) return undefined;
  const found = rangeIn(field, range);
  const [, direction] = /^delete(?:Content|Word)(Backward|Forward)$/.exec(event.inputType) ?? [];
  if (direction === undefined || found.start !== found.end) return found;
  return deletedBeside(event.inputType)(field.textContent, found.start, direction === 'Forward');
}

/** Where the caret is drawn at an offset of a field. */
export function caretBox(field: HTMLElement, offset: number): DOMRect {
  const [node, at] = pointAt(field, offset);
  const range = document.createRange();
  range.setStart(node, at);
  const [box] = range.getClientRects();
  if (box) return box;
  // An empty line has a box with its end alone.
  if (node instanceof Text && at < node.data.length) range.setEnd(node, at + 1);
  return range.getClientRects()[0] ?? (node.parentElement ?? field).getBoundingClientRect();
}
