// Ranges of the prompt over several pieces, as an edit names them, and the text that such a range begins in.
import type { Passage, PromptEdit, Segment } from '../ipc';
import type { Block, Spot } from './blocks';
import { findSpot, textPlaceOf, type TextPlace } from './emptied-text';
import { startsOf, textPieces } from './open-spot';
import type { TextRange } from './replacement';

/** The passage at a range of a prompt: it begins and ends within pieces that it has letters of. */
export function passageOf(
  prompt: readonly Segment[],
  { start, end }: TextRange,
): Passage | undefined {
  let at = 0;
  let from: { segment: number; start: number } | undefined;
  for (const [index, { text }] of prompt.entries()) {
    const to = at + text.length;
    if (!from && start < to) from = { segment: index, start: start - at };
    if (from && end > at && end <= to) return { ...from, last: index, end: end - at };
    at = to;
  }
  return undefined;
}

/** The passage at a range of a stretch. */
export function passageIn(
  spot: Spot,
  prompt: readonly Segment[],
  { start, end }: TextRange,
): Passage | undefined {
  const [first] = textPieces(spot);
  const before = first && startsOf(prompt).get(first);
  return before === undefined
    ? undefined
    : passageOf(prompt, { start: before + start, end: before + end });
}

/** The edit that replaces a range of a stretch over several pieces. */
export function passageEdit(
  spot: Spot,
  prompt: readonly Segment[],
  range: TextRange,
  words: string,
): PromptEdit | undefined {
  const found = passageIn(spot, prompt, range);
  return found && { kind: 'replace_passage', ...found, text: words };
}

/** The edit that moves a range of a stretch to an offset of it. */
export function moveEdit(
  spot: Spot,
  prompt: readonly Segment[],
  range: TextRange,
  to: number,
): PromptEdit | undefined {
  const found = passageIn(spot, prompt, range);
  // The end of a letter before it, where there is one.
  const beside = passageIn(spot, prompt, { start: Math.max(to - 1, 0), end: Math.max(to, 1) });
  if (!found || !beside) return undefined;
  const { segment, start, last, end } = beside;
  const place = to === 0 ? { target: segment, at: start } : { target: last, at: end };
  return { kind: 'move', ...found, ...place };
}

/** An edit of a range over several texts. */
export interface AcrossEdit {
  edit: PromptEdit;
  /** The first text from the start of the range on, and its piece there. */
  spot: Spot;
  piece: Segment;
  /** The text that may lose all its words and then stays open: an entry of a list goes with its line. */
  place: TextPlace | undefined;
}

/** The edit that replaces a range of a prompt; undefined when it has no text. */
export function acrossEdit(
  blocks: readonly Block[],
  prompt: readonly Segment[],
  range: TextRange,
  words: string,
): AcrossEdit | undefined {
  const found = passageOf(prompt, range);
  const pieces = found ? prompt.slice(found.segment) : [];
  const piece = pieces.find(({ source }) => source !== undefined);
  const index = piece && findSpot(blocks, (spot) => spot.pieces.includes(piece));
  const spot = index && blocks[index.block]?.spots[index.spot];
  if (!found || !piece || !index || !spot) return undefined;
  const isText = spot.source?.entry === undefined && piece === pieces[0];
  return {
    edit: { kind: 'replace_passage', ...found, text: words },
    spot,
    piece,
    place: isText ? textPlaceOf(blocks, index) : undefined,
  };
}
