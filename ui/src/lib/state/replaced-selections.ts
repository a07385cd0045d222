// Selections over several texts of the prompt that were replaced: an undo of that selects them again.
import { wordsOf } from '../document/open-spot';
import type { TextRange } from '../document/replacement';
import type { Segment } from '../ipc';

/** The segments of a prompt: those that did not change are shared with the prompts beside it. */
type Prompt = readonly Segment[];

interface Replaced {
  range: TextRange;
  /** The prompt before and after. */
  before: Prompt;
  after: Prompt;
}

/** How many are kept. */
const MOST = 20;

const lengthOf = (prompt: Prompt): number => prompt.reduce((sum, { text }) => sum + text.length, 0);

const isSame = (one: Prompt, other: Prompt): boolean =>
  one === other || (lengthOf(one) === lengthOf(other) && wordsOf(one) === wordsOf(other));

export class ReplacedSelections {
  #last: Replaced[] = [];

  /** Takes note that a range of a prompt was replaced. */
  record(range: TextRange, before: Prompt, after: Prompt): void {
    this.#last = [...this.#last, { range, before, after }].slice(-MOST);
  }

  /** What was selected of a prompt that is there again after another. */
  restored(before: Prompt, after: Prompt): TextRange | undefined {
    const isUndone = (each: Replaced) => isSame(each.after, before) && isSame(each.before, after);
    return this.#last.findLast(isUndone)?.range;
  }
}
