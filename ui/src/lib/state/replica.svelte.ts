// The page's replica of an open document. Edits show at once and travel one group at a time; the
// confirmed tree and the groups on their way are kept apart, so that an answer that carries edits
// of its own (undo, a roll, a switch, a reload) goes under what was typed meanwhile.
import type { EditGroup, Edit, JsonValue } from '../ipc';
import { applyAll, at, spliceBetween } from '../document/edit';
import { EditRhythm } from '../util/after-edit';
import { UnreadTexts } from './unread-texts.svelte';

type Group = Omit<EditGroup, 'base'>;

/** An answer to edits, and what every kind of answer has. */
export interface Answer<S> {
  base: number;
  edits: Edit[];
  status: S;
}

/** A document as it is given on opening. */
export interface Opened<S> {
  document: string;
  tree: JsonValue;
  status: S;
}

/** The service's side of a document. */
export interface Original<A, O> {
  apply(group: EditGroup): A | Promise<A>;
  open(): Promise<O>;
  /** Called with the error of a call that was refused. */
  onError(error: unknown): void;
}

/** What is done one after the other: edits already shown, a call answered with a change, a change
 *  that came unasked. */
type Job<A> =
  | { kind: 'edits'; group: Group }
  | {
      kind: 'call';
      run: () => Promise<A | undefined>;
      taken: (answer: A) => void;
      done: (answer: A | undefined) => void;
    }
  | { kind: 'unasked'; change: A };

let undoing = 0;

/** Whether what changes now is undone or redone: the caret goes to what that changes. */
export const isUndoing = (): boolean => undoing > 0;

export abstract class Replica<
  S extends { revision: number },
  A extends Answer<S>,
  O extends Opened<S>,
> {
  tree: JsonValue;
  status: S;
  /** Names the document. */
  readonly document: string;
  /** For the work that follows edits. */
  readonly rhythm = new EditRhythm();
  readonly unread = new UnreadTexts(() => this.tree);

  #original: Original<A, O>;
  #confirmed: JsonValue;
  /** In the order they were asked for; the first is on its way while `#busy`. */
  #jobs: Job<A>[] = [];
  #busy = false;
  #closed = false;
  /** The status after a save of a revision whose answer is still on its way. */
  #saved: S | undefined;
  #idle: (() => void)[] = [];

  constructor(opened: O, original: Original<A, O>) {
    this.document = opened.document;
    this.#original = original;
    this.#confirmed = opened.tree;
    this.tree = $state.raw(opened.tree);
    this.status = $state.raw(opened.status);
  }

  /** Takes over what an answer says besides edits and status; false when it doesn't fit. */
  protected abstract applyAnswer(answer: A): boolean;

  /** Applies the other parts of a document, besides tree and status, after a reload. */
  protected abstract applyDocument(opened: O): void;

  /** Called with every new tree. */
  protected onTree(): void {}

  #show(tree: JsonValue): void {
    this.tree = tree;
    this.onTree();
  }

  /** Edits the document: shows it at once and sends it. Groups with the same `burst` are one undo step. */
  edit(label: string, edits: Edit[], burst?: string): void {
    if (edits.length === 0 || this.#closed) return;
    this.rhythm.edited();
    this.#show(applyAll(this.tree, edits));
    const last = this.#jobs.at(-1);
    const onItsWay = this.#busy && this.#jobs.length === 1;
    // What has not left yet and belongs to the same burst travels together.
    if (burst && !onItsWay && last?.kind === 'edits' && last.group.burst === burst) {
      last.group = { ...last.group, edits: [...last.group.edits, ...edits] };
    } else {
      this.#jobs.push({ kind: 'edits', group: { edits, label, burst: burst ?? null } });
    }
    void this.#pump();
  }

  /**
   * Replaces a text by the smallest splice; a field that was absent or no text is set. So are texts
   * elsewhere that are to stay the same as it.
   */
  type(
    label: string,
    path: (string | number)[],
    after: string,
    alike: (string | number)[][] = [],
  ): void {
    const edits = [path, ...alike].flatMap((each): Edit[] => {
      const before = at(this.tree, each);
      if (before === after) return [];
      return typeof before === 'string'
        ? [spliceBetween(each, before, after)]
        : [{ kind: 'set', path: each, value: after }];
    });
    this.edit(label, edits, `type:${path.join('/')}`);
  }

  /**
   * Runs a call that answers with a change, after everything sent before it. What `taken` does is drawn
   * in the same frame as the change.
   */
  change(
    run: () => Promise<A | undefined>,
    taken: (answer: A) => void = () => undefined,
  ): Promise<A | undefined> {
    this.rhythm.edited();
    return new Promise((done) => {
      this.#jobs.push({ kind: 'call', run, taken, done });
      void this.#pump();
    });
  }

  /** Runs a call that undoes or redoes. */
  async takeBack(run: () => Promise<A | undefined>): Promise<A | undefined> {
    undoing += 1;
    try {
      return await this.change(run);
    } finally {
      undoing -= 1;
    }
  }

  /** Takes over a change that came unasked; after the answer that is waited for, which it may follow. */
  receive(change: A): void {
    this.#jobs.splice(this.#busy ? 1 : 0, 0, { kind: 'unasked', change });
    void this.#pump();
  }

  /** Takes over the status after a save; edits since then bring a newer one. */
  takeSaved(status: S): void {
    if (status.revision === this.status.revision) this.status = status;
    else if (status.revision > this.status.revision) this.#saved = status;
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Stops taking edits; the document was left. */
  close(): void {
    this.#closed = true;
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#jobs[0]; job; job = this.#jobs[0]) {
      if (job.kind === 'edits') await this.#send(job.group);
      else if (job.kind === 'call') await this.#ask(job);
      else await this.#receive(job.change);
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #send(group: Group): Promise<void> {
    try {
      const reply = this.#original.apply({ base: this.status.revision, ...group });
      // What is there at once is taken over at once: what was typed and what it makes are drawn as one.
      const answer = reply instanceof Promise ? await reply : reply;
      this.#jobs.shift();
      this.#confirmed = applyAll(this.#confirmed, group.edits);
      await this.#answer(answer);
    } catch (error) {
      this.#original.onError(error);
      await this.#resync(true);
    }
  }

  async #ask(job: Job<A> & { kind: 'call' }): Promise<void> {
    let answer: A | undefined;
    try {
      answer = await job.run();
    } catch (error) {
      this.#original.onError(error);
    }
    this.#jobs.shift();
    if (answer) await this.#answer(answer, job.taken);
    job.done(answer);
  }

  async #receive(change: A): Promise<void> {
    this.#jobs.shift();
    if (change.base === this.status.revision) await this.#answer(change);
    else if (change.status.revision > this.status.revision) await this.#resync();
  }

  /** Puts the edits of an answer under those that have not left yet. */
  async #answer(answer: A, taken?: (answer: A) => void): Promise<void> {
    if (!this.#take(answer)) await this.#resync();
    try {
      taken?.(answer);
    } catch (error) {
      // What follows an answer does not keep the next edits from being sent.
      this.#original.onError(error);
    }
  }

  /** Takes over an answer; false when the page has something else than the service. */
  #take(answer: A): boolean {
    if (answer.edits.length > 0) {
      let confirmed: JsonValue;
      try {
        confirmed = applyAll(this.#confirmed, answer.edits);
      } catch {
        return false;
      }
      this.#goOn(confirmed);
    }
    this.status = answer.status;
    // It is older than what later answers with this revision say.
    const saved = this.#saved;
    this.#saved = undefined;
    if (saved) this.takeSaved(saved);
    return this.applyAnswer(answer);
  }

  /** Goes on from what the service has, under what has not left yet. */
  #goOn(confirmed: JsonValue): void {
    this.#confirmed = confirmed;
    try {
      this.#show(this.#unsent().reduce((tree, group) => applyAll(tree, group.edits), confirmed));
    } catch (error) {
      // What was typed meanwhile has lost its place.
      this.#original.onError(error);
      this.#forget();
      this.#show(confirmed);
    }
  }

  #unsent(): Group[] {
    return this.#jobs.flatMap((job) => (job.kind === 'edits' ? [job.group] : []));
  }

  /** Drops everything that has not been answered. */
  #forget(): void {
    for (const job of this.#jobs.splice(0)) if (job.kind === 'call') job.done(undefined);
  }

  /**
   * Reloads the document. Edits queued after a rejected edit are dropped, because they assumed its
   * result.
   */
  async #resync(refused = false): Promise<void> {
    try {
      const opened = await this.#original.open();
      if (refused) this.#forget();
      this.#goOn(opened.tree);
      this.status = opened.status;
      this.#saved = undefined;
      this.applyDocument(opened);
    } catch (error) {
      this.#forget();
      this.#original.onError(error);
    }
  }
}
