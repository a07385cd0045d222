// Where an undo or a redo changed a text that is printed: what is typed next goes where the author looks.
import type { Segment } from '../ipc';
import { commonEnd } from '../util/common-ends';
import type { Block, Spot } from './blocks';
import { findSpot } from './emptied-text';
import { spotKey, spotsAtCaret, spotText, wordsOf, type SpotCaret } from './open-spot';

/** A prompt and its blocks. */
export interface Printed {
  prompt: readonly Segment[];
  blocks: readonly Block[];
}

/** Whether two stretches print the same, on the same side of a variable. */
const isSameText = (one: Spot, other: Spot): boolean =>
  spotKey(one) === spotKey(other) &&
  spotText(one) === spotText(other) &&
  one.edge?.after === other.edge?.after;

/** Where what was changed from one prompt to the next ends, the leftmost of its places among equal letters. */
function endOfChange(before: readonly Segment[], after: readonly Segment[]): number {
  const words = wordsOf(after);
  return words.length - commonEnd(wordsOf(before), words);
}

/**
 * The place behind what was changed from one prompt to the next, in a text that is another now, else in one
 * of those that are meant; undefined where no text that can be edited was changed.
 */
export function undoneAt(
  before: Printed,
  after: Printed,
  isMeant: (spot: Spot) => boolean,
): SpotCaret | undefined {
  const { prompt, blocks } = after;
  if (prompt.length === before.prompt.length && wordsOf(prompt) === wordsOf(before.prompt)) {
    return undefined;
  }
  const found = spotsAtCaret(blocks, prompt, endOfChange(before.prompt, prompt));
  const among = (isWanted: (spot: Spot) => boolean) =>
    found.findLast(({ index }) => {
      const spot = blocks[index.block]?.spots[index.spot];
      return spot !== undefined && isWanted(spot);
    });
  const isChanged = (spot: Spot) => !findSpot(before.blocks, (each) => isSameText(each, spot));
  return among(isChanged) ?? among(isMeant);
}
