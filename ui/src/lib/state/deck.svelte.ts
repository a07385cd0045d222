// The page's replica of an open document. Edits show at once and travel one group at a time; the
// confirmed tree and the groups on their way are kept apart, so that an answer that carries edits
// of its own (undo, a roll, a switch, a reload) goes under what was typed meanwhile.
import type { Applied, Backend, Change, Edit, JsonValue, OpenDocument, Slot, Status } from '../ipc';
import { applyAll, spliceBetween, at } from './edit';
import type { PreviewState } from './preview.svelte';
import { registryOf, sectionNames, sectionOf, type Section } from './registry';

type Group = Omit<Applied, 'base'>;

/** Something on its way to the service: edits already shown, or a call answered with a change. */
type Job =
  | { kind: 'edits'; group: Group }
  | { kind: 'call'; run: () => Promise<Change>; done: (change: Change | undefined) => void };

const NOTHING: Status = {
  revision: 0,
  modified: false,
  undo: null,
  redo: null,
  last_seed: null,
  seed_locked: false,
};

/** What a deck needs from the window around it. */
export interface DeckPorts {
  backend: Backend;
  preview: PreviewState;
  /** Called with whatever a call was refused with. */
  refused: (error: unknown) => void;
}

export class DeckState {
  tree = $state.raw<JsonValue>({});
  status = $state.raw<Status>(NOTHING);
  /** The file of the document. */
  readonly document: string;

  readonly registry = $derived(registryOf(this.tree));
  readonly names = $derived(sectionNames(this.registry));

  #ports: DeckPorts;
  #confirmed: JsonValue;
  /** In the order they were asked for; the first is on its way while `#busy`. */
  #jobs: Job[] = [];
  #busy = false;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(opened: OpenDocument, ports: DeckPorts) {
    this.document = opened.document;
    this.#ports = ports;
    this.#confirmed = opened.tree;
    this.#take(opened);
  }

  get route(): string | null {
    const route = at(this.tree, ['route']);
    return typeof route === 'string' ? route : null;
  }

  get seed(): number {
    const seed = at(this.tree, ['seed']);
    return typeof seed === 'number' ? seed : 0;
  }

  section(name: string): Section | undefined {
    return sectionOf(this.registry, name);
  }

  /** Edits the document: shows it at once and sends it. Groups with the same `burst` are one undo step. */
  edit(label: string, edits: Edit[], burst?: string): void {
    if (edits.length === 0 || this.#closed) return;
    this.tree = applyAll(this.tree, edits);
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

  /** Replaces a text by the smallest splice; a field that was absent or no text is set. */
  type(label: string, path: (string | number)[], after: string): void {
    const before = at(this.tree, path);
    if (before === after) return;
    const edit: Edit =
      typeof before === 'string'
        ? spliceBetween(path, before, after)
        : { kind: 'set', path, value: after };
    this.edit(label, [edit], `type:${path.join('/')}`);
  }

  undo(): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.undo(this.document));
  }

  redo(): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.redo(this.document));
  }

  roll(): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.roll(this.document));
  }

  useLastSeed(): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.useLastSeed(this.document));
  }

  useSeed(seed: number): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.useSeed(this.document, seed));
  }

  lockSeed(locked: boolean): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.lockSeed(this.document, locked));
  }

  lock(slots: Slot[] | null): Promise<Change | undefined> {
    return this.#call(() => this.#ports.backend.lock(this.document, slots));
  }

  /** Runs a call that answers with a change, after everything sent before it. */
  change(run: () => Promise<Change>): Promise<Change | undefined> {
    return this.#call(run);
  }

  /** Takes over a change that came unasked. */
  receive(change: Change): void {
    if (change.base === this.status.revision) this.#answer(change);
    else if (change.status.revision > this.status.revision) void this.#resync();
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

  #call(run: () => Promise<Change>): Promise<Change | undefined> {
    return new Promise((done) => {
      this.#jobs.push({ kind: 'call', run, done });
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#jobs[0]; job; job = this.#jobs[0]) {
      if (job.kind === 'edits') await this.#send(job.group);
      else await this.#ask(job);
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #send(group: Group): Promise<void> {
    try {
      const sent = { base: this.status.revision, ...group };
      const change = await this.#ports.backend.apply(this.document, sent);
      this.#jobs.shift();
      this.#confirmed = applyAll(this.#confirmed, group.edits);
      this.#answer(change);
    } catch (error) {
      this.#ports.refused(error);
      await this.#resync();
    }
  }

  async #ask(job: Job & { kind: 'call' }): Promise<void> {
    let change: Change | undefined;
    try {
      change = await job.run();
    } catch (error) {
      this.#ports.refused(error);
    }
    this.#jobs.shift();
    if (change) this.#answer(change);
    job.done(change);
  }

  /** Puts the edits of an answer under those that have not left yet. */
  #answer(change: Change): void {
    if (change.edits.length > 0) {
      this.#confirmed = applyAll(this.#confirmed, change.edits);
      try {
        this.tree = this.#unsent().reduce(
          (tree, group) => applyAll(tree, group.edits),
          this.#confirmed,
        );
      } catch (error) {
        // What was typed meanwhile has lost its place.
        this.#ports.refused(error);
        this.#forget();
        this.tree = this.#confirmed;
      }
    }
    this.status = change.status;
    if (!this.#ports.preview.take(change.preview)) void this.#resync();
  }

  #unsent(): Group[] {
    return this.#jobs.flatMap((job) => (job.kind === 'edits' ? [job.group] : []));
  }

  /** Gives up whatever has not been answered. */
  #forget(): void {
    for (const job of this.#jobs.splice(0)) if (job.kind === 'call') job.done(undefined);
  }

  async #resync(): Promise<void> {
    try {
      const opened = await this.#ports.backend.open(this.document);
      this.#forget();
      this.#confirmed = opened.tree;
      this.#take(opened);
    } catch (error) {
      this.#forget();
      this.#ports.refused(error);
    }
  }

  #take(opened: OpenDocument): void {
    this.tree = opened.tree;
    this.status = opened.status;
    this.#ports.preview.take(opened.preview);
  }
}
