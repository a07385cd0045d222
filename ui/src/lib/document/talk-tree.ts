// The tree of turns of a conversation: branches, siblings, and what a branch waits for.
import type { TalkCall, TalkTurn } from '../ipc';

export class TalkTree {
  readonly #turns: ReadonlyMap<number, TalkTurn>;
  readonly #children = new Map<number | null, TalkTurn[]>();

  constructor(turns: Iterable<TalkTurn> = []) {
    this.#turns = new Map([...turns].map((turn) => [turn.id, turn]));
    for (const turn of [...this.#turns.values()].sort((one, other) => one.id - other.id)) {
      const siblings = this.#children.get(turn.parent);
      if (siblings) siblings.push(turn);
      else this.#children.set(turn.parent, [turn]);
    }
  }

  /** The tree with a turn added or replaced. */
  with(...turns: TalkTurn[]): TalkTree {
    const next = new Map(this.#turns);
    for (const turn of turns) next.set(turn.id, turn);
    return new TalkTree(next.values());
  }

  get(id: number | null): TalkTurn | undefined {
    return id === null ? undefined : this.#turns.get(id);
  }

  /** The turn that a run answers with. */
  ofRun(run: number): TalkTurn | undefined {
    return [...this.#turns.values()].find((turn) => turn.run === run);
  }

  /** The turns from the first to this one. */
  path(leaf: number | null): TalkTurn[] {
    const path: TalkTurn[] = [];
    for (let turn = this.get(leaf); turn; turn = this.get(turn.parent)) path.unshift(turn);
    return path;
  }

  /** The turns after the same turn, oldest first, itself included. */
  siblings(turn: TalkTurn): TalkTurn[] {
    return this.#children.get(turn.parent) ?? [];
  }

  /** The last turn of the newest branch through a turn, or of all. */
  newest(from: number | null): number | null {
    const below = this.#children.get(from)?.at(-1);
    return below ? this.newest(below.id) : from;
  }

  /** The turns that nothing follows, newest first: the last of each branch. */
  get branches(): TalkTurn[] {
    const last = [...this.#turns.values()].filter(({ id }) => !this.#children.has(id));
    return last.sort((one, other) => other.id - one.id);
  }

  /** The first turn of a branch that no other branch has. */
  parting(leaf: TalkTurn): TalkTurn {
    const path = this.path(leaf.id);
    return path.findLast((turn) => this.siblings(turn).length > 1) ?? leaf;
  }
}

/** What is said: a turn, or a message of the call document before the first turn. */
export type Said = Pick<TalkTurn, 'role' | 'calls' | 'answers'>;

/** The last message that is no result of a tool, and its calls that have no result yet. */
export function openCalls<S extends Said>(
  messages: S[],
): { asks: S | undefined; calls: TalkCall[] } {
  const start = messages.findLastIndex(({ role }) => role !== 'tool');
  const asks = messages[start];
  const answered = messages.slice(start + 1).map(({ answers }) => answers);
  return { asks, calls: asks?.calls.filter(({ id }) => !answered.includes(id)) ?? [] };
}

/** The results that follow an answer in a branch, or the call document, by the call they answer. */
export function resultsAfter(path: TalkTurn[], turn: TalkTurn | null): Map<string, TalkTurn> {
  const results = new Map<string, TalkTurn>();
  const start = turn === null ? 0 : path.indexOf(turn) + 1;
  for (const next of path.slice(start)) {
    if (next.role !== 'tool') break;
    if (next.answers !== null) results.set(next.answers, next);
  }
  return results;
}
