// What was typed and no document holds yet. The view of a registry keeps it between starts.

/**
 * Where a text was typed: the next turn of a conversation, a turn that is edited, the result of a tool
 * call, a field whose text cannot be read, the name and note of a snapshot, a check that waits for what it
 * expects.
 */
export type TextKind = 'next' | 'edit' | 'result' | 'unread' | 'snapshot' | 'checks';

export class SavedTexts {
  readonly #texts: Map<string, string>;
  readonly #changed: () => void;

  constructor(saved: Readonly<Record<string, string>>, changed: () => void) {
    this.#texts = new Map(Object.entries(saved));
    this.#changed = changed;
  }

  get(kind: TextKind, name: string): string | undefined {
    return this.#texts.get(keyOf(kind, name));
  }

  /** Those of a kind whose names begin like this, with their names. */
  list(kind: TextKind, start = ''): [name: string, content: string][] {
    const from = keyOf(kind, '').length;
    return [...this.#texts]
      .filter(([key]) => key.startsWith(keyOf(kind, start)))
      .map(([key, content]) => [key.slice(from), content]);
  }

  /** Keeps a text; none if it is empty. */
  set(kind: TextKind, name: string, content: string): void {
    const key = keyOf(kind, name);
    if ((this.#texts.get(key) ?? '') === content) return;
    if (content === '') this.#texts.delete(key);
    else this.#texts.set(key, content);
    this.#changed();
  }

  /** All of them, as they are saved. */
  get saved(): Record<string, string> {
    return Object.fromEntries(this.#texts);
  }
}

const keyOf = (kind: TextKind, name: string): string => `${kind}/${name}`;
