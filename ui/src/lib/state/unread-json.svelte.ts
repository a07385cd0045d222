// JSON that was typed into a field and can't be read yet. No document can hold it, so it is kept beside
// the document while its field is not shown and between starts, and counts as unsaved.
import { SvelteMap } from 'svelte/reactivity';
import { at } from '../document/edit';
import type { JsonValue, Step } from '../ipc';

interface Unread {
  /** What a person calls the field. */
  label: string;
  path: Step[];
  words: string;
}

/** Keeps texts that no document holds, by where they were written. */
interface Storage {
  readonly unsent: ReadonlyMap<string, string>;
  keepUnsent: (where: string, content: string) => void;
}

/** The unreadable texts of one document. */
export class UnreadJson {
  readonly #texts = new SvelteMap<string, Unread>();
  readonly #tree: () => JsonValue;
  #storage: Storage | undefined;
  #prefix = '';

  constructor(tree: () => JsonValue) {
    this.#tree = tree;
  }

  /** Takes back what the storage has of a document, and keeps there what is typed from now on. */
  remember(storage: Storage, document: string): void {
    this.#storage = storage;
    this.#prefix = `json/${document}#`;
    for (const [where, content] of storage.unsent) {
      if (!where.startsWith(this.#prefix)) continue;
      const key = where.slice(this.#prefix.length);
      const path = pathOf(key);
      const [label = '', ...words] = content.split('\n');
      if (path && this.#holds(path)) this.#texts.set(key, { label, path, words: words.join('\n') });
      else storage.keepUnsent(where, '');
    }
  }

  #holds(path: Step[]): boolean {
    return at(this.#tree(), path.slice(0, -1)) !== undefined;
  }

  /** The names of the fields; what a field belonged to took its text along when it was removed. */
  get labels(): string[] {
    // Without reading the tree, which every key changes.
    if (this.#texts.size === 0) return [];
    return [...this.#texts.values()]
      .filter(({ path }) => this.#holds(path))
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
    const content = words === undefined ? '' : `${label.replaceAll('\n', ' ')}\n${words}`;
    this.#storage?.keepUnsent(this.#prefix + key, content);
  }
}

/** The path that a text was kept by. */
function pathOf(key: string): Step[] | undefined {
  try {
    return JSON.parse(key) as Step[];
  } catch {
    return undefined;
  }
}
