// What was typed into a field and can't be read yet, such as unfinished JSON or a number below the
// lowest. No document can hold it, so it is kept beside the document while its field is not shown and
// between starts, and counts as unsaved.
import { SvelteMap } from 'svelte/reactivity';
import { at } from '../document/edit';
import type { UnreadField } from '../document/unread-notes';
import type { JsonValue, Step } from '../ipc';
import type { SavedTexts } from './saved-texts';

/** The value of a field; none if it is absent. */
export type FieldValue = JsonValue | undefined;

export const sameValue = (one: FieldValue, other: FieldValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A field of a document. */
export interface TextField {
  /** What a person calls it. */
  label: string;
  path: Step[];
  /** The part of the document that the field belongs to; the field itself may be absent. */
  owner: Step[];
  /** How the element is marked that edits it, outside of the cards. */
  anchor?: string;
}

interface Unread extends TextField {
  words: string;
  /** Why they can't be read. */
  problem?: string;
  /** The value instead of which it was typed: the last that could be read. */
  value?: FieldValue;
}

/** The unreadable texts of one document. */
export class UnreadTexts {
  readonly #texts = new SvelteMap<string, Unread>();
  readonly #tree: () => JsonValue;
  #saved: SavedTexts | undefined;
  #prefix = '';

  constructor(tree: () => JsonValue) {
    this.#tree = tree;
  }

  /** Takes back what is saved of a document, and saves there what is typed from now on. */
  remember(saved: SavedTexts, document: string): void {
    this.#saved = saved;
    this.#prefix = `${document}#`;
    for (const [name, content] of saved.list('unread', this.#prefix)) {
      const unread = unreadOf(content);
      if (unread && this.#applies(unread)) this.#texts.set(JSON.stringify(unread.path), unread);
      else saved.set('unread', name, '');
    }
  }

  /** The fields. */
  get fields(): UnreadField[] {
    // Without reading the tree, which every key changes.
    if (this.#texts.size === 0) return [];
    return [...this.#texts.values()].filter((unread) => this.#applies(unread));
  }

  /** The names of the fields. */
  get labels(): string[] {
    return this.fields.map(({ label }) => label);
  }

  /** What was typed into a field and can't be read. */
  words(path: Step[]): string | undefined {
    const unread = this.#texts.get(JSON.stringify(path));
    return unread && this.#applies(unread) ? unread.words : undefined;
  }

  /** Keeps what was typed into a field, and why it can't be read; nothing if it can be or is given up. */
  keep(field: TextField, words?: string, problem?: string): void {
    const key = JSON.stringify(field.path);
    let content = '';
    if (words === undefined) this.#texts.delete(key);
    else {
      const unread: Unread = { ...field, words, value: at(this.#tree(), field.path) };
      if (problem !== undefined) unread.problem = problem;
      this.#texts.set(key, unread);
      content = JSON.stringify(unread);
    }
    this.#saved?.set('unread', this.#prefix + key, content);
  }

  /** A text is over once its field was removed, or has another value. */
  #applies({ owner, path, value }: Unread): boolean {
    const tree = this.#tree();
    return at(tree, owner) !== undefined && sameValue(at(tree, path), value);
  }
}

/** A text as it is saved. */
function unreadOf(content: string): Unread | undefined {
  try {
    return JSON.parse(content) as Unread;
  } catch {
    return undefined;
  }
}
