// Selections over several texts of the prompt that were replaced: an undo of that selects them again.
import { wordsOf } from '../document/open-spot';
import type { TextRange } from '../document/replacement';
import type { Segment } from '../ipc';

interface Replaced {
  range: TextRange;
  /** The prompt before and after. */
  before: string;
  after: string;
}

/** How many are kept: each holds two prompts. */
const MOST = 20;

export class ReplacedSelections {
  #last: Replaced[] = [];

  /** Takes note that a range of a prompt was replaced. */
  record(range: TextRange, before: readonly Segment[], after: readonly Segment[]): void {
    const own = { range, before: wordsOf(before), after: wordsOf(after) };
    this.#last = [...this.#last, own].slice(-MOST);
  }

  /** What was selected of a prompt that is there again after another. */
  restored(before: readonly Segment[], after: readonly Segment[]): TextRange | undefined {
    if (this.#last.length === 0) return undefined;
    const [from, to] = [wordsOf(before), wordsOf(after)];
    const isUndone = (each: Replaced) => each.after === from && each.before === to;
    return this.#last.findLast(isUndone)?.range;
  }
}
