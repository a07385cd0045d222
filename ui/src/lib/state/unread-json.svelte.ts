// JSON that was typed into a field and can't be read yet. No document can hold it, so it is kept here
// while its field is not shown, and counts as unsaved.
import { SvelteMap } from 'svelte/reactivity';
import { at } from '../document/edit';
import type { JsonValue, Step } from '../ipc';

interface Unread {
  /** What a person calls the field. */
  label: string;
  path: Step[];
  words: string;
}

/** The unreadable texts of one document. */
export class UnreadJson {
  readonly #texts = new SvelteMap<string, Unread>();
  readonly #tree: () => JsonValue;

  constructor(tree: () => JsonValue) {
    this.#tree = tree;
  }

  /** The names of the fields; what a field belonged to took its text along when it was removed. */
  get labels(): string[] {
    // Without reading the tree, which every key changes.
    if (this.#texts.size === 0) return [];
    const tree = this.#tree();
    return [...this.#texts.values()]
      .filter(({ path }) => at(tree, path.slice(0, -1)) !== undefined)
      .map(({ label }) => label);
  }

  /** What was typed into a field and can't be read. */
  words(path: Step[]): string | undefined {
    return this.#texts.get(JSON.stringify(path))?.words;
  }

  /** Keeps what was typed into a field; nothing if it can be read or is given up. */
  keep(path: Step[], label: string, words: string | undefined): void {
    const key = JSON.stringify(path);
    if (words === undefined) this.#texts.delete(key);
    else this.#texts.set(key, { label, path, words });
  }
}
