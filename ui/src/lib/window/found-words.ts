// Where words are in the texts that are drawn.
import { MOST_HITS } from '../document/find';
import { lineInJson, linesIn, offsetsOf, type PrintedLine } from '../document/printed-line';

/** Texts and names that are searched one by one; no line is in two of them. */
const TEXT = '.block, .underlay, span.lines, [contenteditable], [data-searched], pre';
/** What floats above a text or unfolds it, and is no part of it. */
const APART = '[popover], dialog, [data-unfolds]';
/** So many are marked at a time. */
const AT_MOST = 2000;
/** Of a text of more characters, only the words near the view are marked: WebKit compares each line that it
 *  paints with all marks of its text, and 2,000 in one of 16 KB delayed the next frame by 340 ms. */
const LONG = 10_000;
/** The box of a single character may be empty, as at the end of a row; that of so many is not. */
const WITH_BOX = 8;

/** A text node, and where it begins in its text. */
interface Piece {
  node: Text;
  start: number;
}

/** The ranges of the words in what scrolls, in and near its view alone: it may hold thousands of texts. */
export function foundWords(scroller: Element, pattern: RegExp): Range[] {
  const view = scroller.getBoundingClientRect();
  const found: Range[] = [];
  for (const element of scroller.querySelectorAll(TEXT)) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom < view.top - view.height || top > view.bottom + view.height) continue;
    if (element.closest(APART)) continue;
    const pieces = piecesOf(element, `${TEXT}, ${APART}`);
    const text = textOf(pieces);
    const margin = view.height / 2;
    const isLong = text.length > LONG;
    const search = new RegExp(pattern);
    search.lastIndex = isLong ? offsetBelow(pieces, view.top - margin) : 0;
    const end = isLong ? offsetBelow(pieces, view.bottom + margin) : text.length;
    for (let match = search.exec(text); match && match.index < end; match = search.exec(text)) {
      if (found.length === AT_MOST) return found;
      found.push(rangeOf(pieces, match.index, match.index + match[0].length));
    }
  }
  return found;
}

/** Where the first character of a text is that reaches below a height of the window; texts run downwards. */
function offsetBelow(pieces: readonly Piece[], y: number): number {
  const range = document.createRange();
  const at = firstNot(pieces.length, (index) => {
    const node = pieces[index]?.node;
    if (node) range.selectNodeContents(node);
    return isAbove(range, y);
  });
  const piece = pieces[at];
  if (!piece) return pieces.reduce((length, { node }) => length + node.length, 0);
  const { node, start } = piece;
  const within = firstNot(node.length, (index) => {
    range.setStart(node, index);
    range.setEnd(node, Math.min(index + WITH_BOX, node.length));
    return isAbove(range, y);
  });
  return start + within;
}

/** Whether a part of a text ends above a height. What is not laid out, as it is out of sight, has no box but
 *  that of what holds it. */
function isAbove(range: Range, y: number): boolean {
  const box = range.getBoundingClientRect();
  if (box.height > 0) return box.bottom <= y;
  const holder = range.startContainer.parentElement;
  return (holder?.getBoundingClientRect().bottom ?? 0) <= y;
}

/** The index of the first of so many parts that something does not hold for, as it holds for all before it. */
function firstNot(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range of the words in a name. */
export function wordsInName(name: Element, pattern: RegExp): Range | undefined {
  const pieces = piecesOf(name, APART);
  const [found] = textOf(pieces).matchAll(pattern);
  return found && rangeOf(pieces, found.index, found.index + found[0].length);
}

/**
 * Which of the words in a text is drawn by elements that print it, of as many as the text holds. Nothing
 * where they print another number of them, as a value may hold the words or take some of theirs; of a text
 * that holds more than are listed, the number is not known.
 */
export function printedWords(
  prints: readonly Element[],
  pattern: RegExp,
  nth: number,
  of: number,
): Range | undefined {
  let range: Range | undefined;
  let count = 0;
  for (const print of prints) {
    const pieces = piecesOf(print, APART);
    for (const { 0: words, index } of textOf(pieces).matchAll(pattern)) {
      if (count === nth) range = rangeOf(pieces, index, index + words.length);
      count += 1;
      if (count > MOST_HITS) return range;
    }
  }
  return count % of === 0 ? range : undefined;
}

/** The words of a line of the prompt in texts that are made of it, as they are or as strings of JSON. They may
 *  print more on the line, as a role before it. */
export function wordsOfLine(root: Element, line: PrintedLine): Range | undefined {
  const texts = [...root.querySelectorAll(TEXT)].map((each) => piecesOf(each, `${TEXT}, ${APART}`));
  const json = lineInJson(line);
  const ways: [PrintedLine, (text: string) => number[]][] = [
    [line, (text) => linesIn(text, line.line)],
    [json, (text) => linesIn(text, json.line, true)],
    [line, (text) => offsetsOf(text, line.line)],
    [json, (text) => offsetsOf(text, json.line)],
  ];
  for (const [{ start, end, nth }, offsets] of ways) {
    const found = texts.flatMap((pieces) => offsets(textOf(pieces)).map((at) => ({ pieces, at })));
    // A target may print a line once that the prompt repeats.
    const match = found[nth] ?? found.at(-1);
    if (match) return rangeOf(match.pieces, match.at + start, match.at + end);
  }
  return undefined;
}

/** The text nodes of an element, without those in what is left out. */
function piecesOf(element: Element, without: string): Piece[] {
  const nodes = document.createTreeWalker(
    element,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) =>
      node instanceof Element && node.matches(without)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  );
  const pieces: Piece[] = [];
  let start = 0;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!(node instanceof Text) || node.length === 0) continue;
    pieces.push({ node, start });
    start += node.data.length;
  }
  return pieces;
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ node }) => node.data).join('');

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range {
  const range = document.createRange();
  const from = pieces.findLast((piece) => piece.start <= start);
  const to = pieces.findLast((piece) => piece.start < end);
  if (from) range.setStart(from.node, start - from.start);
  if (to) range.setEnd(to.node, end - to.start);
  return range;
}
