// A file of checks made of memory, for page tests and the dev entry: it applies edits, and gives the
// verdicts it was given by hand. It runs nothing.
import type {
  CheckVerdict,
  ChecksChange,
  ChecksStatus,
  Conflict,
  Edit,
  JsonValue,
  NewCheck,
} from '$lib/ipc';
import type { ChecksBackend } from '$lib/ipc/checks';
import { applyAll } from '$lib/document/edit';
import { entriesOf } from '$lib/document/checks';

/** What the fake knows of checks. */
export interface ChecksScene {
  tree: JsonValue;
  /** The verdicts on the checks of a tree. */
  verdicts: (tree: JsonValue) => FakeVerdict[];
}

export type FakeVerdict = Pick<CheckVerdict, 'outcome' | 'failures' | 'faults'>;

export const HOLDS: FakeVerdict = { outcome: 'passed', failures: [], faults: [] };

export class FakeChecks {
  tree: JsonValue;
  saved: JsonValue;
  conflict: Conflict | null = null;
  readonly document: string;
  #revision = 0;
  #past: JsonValue[] = [];
  #future: JsonValue[] = [];
  readonly #scene: ChecksScene;

  constructor(registry: string, scene: ChecksScene | undefined) {
    this.#scene = scene ?? {
      tree: { version: 1, checks: [] },
      verdicts: (tree) => entriesOf(tree).map(() => HOLDS),
    };
    this.document = registry.replace(/\.json$/, '.checks.json');
    this.tree = this.#scene.tree;
    this.saved = this.tree;
  }

  get status(): ChecksStatus {
    return {
      revision: this.#revision,
      modified: this.tree !== this.saved,
      undo: this.#past.length > 0 ? { text: 'Edit' } : null,
      redo: this.#future.length > 0 ? { text: 'Edit' } : null,
    };
  }

  #change(edits: Edit[]): ChecksChange {
    const base = this.#revision;
    this.#revision += 1;
    return { document: this.document, base, edits, status: this.status };
  }

  #apply(edits: Edit[]): void {
    this.#past.push(this.tree);
    this.#future = [];
    this.tree = applyAll(this.tree, edits);
  }

  #step(from: JsonValue[], to: JsonValue[]): ChecksChange {
    const tree = from.pop();
    if (tree === undefined) throw { code: 'nothing_to_do', message: 'There is nothing to undo.' };
    to.push(this.tree);
    this.tree = tree;
    const parts = Object.entries(tree as Record<string, JsonValue>);
    return this.#change(parts.map(([key, value]) => ({ kind: 'set', path: [key], value })));
  }

  #kept(check: NewCheck): JsonValue {
    const name =
      check.from === 'prompt' ? `prompt of seed ${check.seed}` : `kept from ${check.from}`;
    return { name, given: { seed: 7 }, expect: [{ text: 'One.' }] };
  }

  /** The part of the interface that is about checks; `openCheckRoll` is the caller's. */
  get backend(): Omit<ChecksBackend, 'openCheckRoll'> {
    return {
      openChecks: async () => ({
        document: this.document,
        tree: this.tree,
        status: this.status,
        draft: null,
        conflict: this.conflict,
      }),
      applyChecks: async (_, group) => {
        this.#apply(group.edits);
        return this.#change([]);
      },
      undoChecks: async () => this.#step(this.#past, this.#future),
      redoChecks: async () => this.#step(this.#future, this.#past),
      saveChecks: async () => {
        if (!this.conflict) this.saved = this.tree;
        return {
          written: !this.conflict,
          status: this.status,
          conflict: this.conflict,
          kept: null,
        };
      },
      resolveChecks: async () => {
        this.conflict = null;
        return this.#change([]);
      },
      runChecks: async () => ({
        document: this.document,
        revision: this.#revision,
        verdicts: entriesOf(this.tree).map(({ index, name, rolls, isAnswer }) => ({
          index,
          name,
          rolls: isAnswer ? null : (rolls ?? 1),
          ...(this.#scene.verdicts(this.tree)[index] ?? HOLDS),
        })),
        warnings: [],
        millis: 12,
      }),
      keepCheck: async (_, check) => {
        const index = entriesOf(this.tree).length;
        const value = this.#kept(check);
        const edits: Edit[] = [{ kind: 'insert', path: ['checks', index], value }];
        this.#apply(edits);
        const name = entriesOf(this.tree)[index]?.name ?? '';
        return { change: this.#change(edits), index, name };
      },
    };
  }
}
