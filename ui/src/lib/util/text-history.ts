// The steps of what is typed into a text that is in no document, which undoes and redoes its own.
import type { TextRange } from '../document/replacement';

interface Step {
  start: number;
  removed: string;
  inserted: string;
}

/** A text after a step, and where the caret stands in it. */
export interface Stepped {
  text: string;
  at: number;
}

/** How many steps are kept. */
const MOST = 200;

export class TextHistory {
  #done: Step[] = [];
  #undone: Step[] = [];
  /** The text after the last step: with another one, the steps fit no longer. */
  #text = '';

  /** Takes note that `words` replace a range of a text. Letters of a word are one step. */
  record(before: string, { start, end }: TextRange, words: string): void {
    if (before !== this.#text) this.#done = [];
    this.#undone = [];
    const step = { start, removed: before.slice(start, end), inserted: words };
    const last = this.#done.at(-1);
    if (last && isTypedOn(last, step)) last.inserted += words;
    else if (last && isDeletedOn(last, step)) {
      last.start = start;
      last.removed = step.removed + last.removed;
    } else this.#done = [...this.#done, step].slice(-MOST);
    this.#text = before.slice(0, start) + words + before.slice(end);
  }

  /** Takes the last step back from a text; nothing if there is none. */
  undo(text: string): Stepped | undefined {
    const step = text === this.#text ? this.#done.pop() : undefined;
    if (!step) return undefined;
    this.#undone.push(step);
    return this.#replaced(text, step.start, step.inserted, step.removed);
  }

  /** Repeats the step that was undone last. */
  redo(text: string): Stepped | undefined {
    const step = text === this.#text ? this.#undone.pop() : undefined;
    if (!step) return undefined;
    this.#done.push(step);
    return this.#replaced(text, step.start, step.removed, step.inserted);
  }

  #replaced(text: string, start: number, old: string, words: string): Stepped {
    this.#text = text.slice(0, start) + words + text.slice(start + old.length);
    return { text: this.#text, at: start + words.length };
  }
}

/** Whether a letter follows the last one, and no word begins with it. */
const isTypedOn = (last: Step, { start, removed, inserted }: Step): boolean =>
  removed === '' &&
  inserted.length === 1 &&
  last.inserted !== '' &&
  last.start + last.inserted.length === start &&
  (/\s/.test(inserted) || !/\s$/.test(last.inserted));

/** Whether a letter before the last deleted one is deleted. */
const isDeletedOn = (last: Step, { start, removed, inserted }: Step): boolean =>
  inserted === '' && last.inserted === '' && removed.length === 1 && start + 1 === last.start;
