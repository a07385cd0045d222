// Runs of the open document: the current batch with the progress of each run, and the history. The
// service sends requests and judges responses; connections have their own state.
import type { Event, Failure, RunAttempt, RunDetail, RunRetry, RunStep, RunSummary } from '../ipc';
import { text, when } from '../text';
import { showTab } from '../window/columns';
import { ConnectionsState } from './connections.svelte';
import type { Studio } from './studio.svelte';

const STRETCH = 50;
const TICK = 100;

export const MOST_SEEDS = 24;

/** The progress of a run: its judged attempts, and what arrives of the attempt after them. */
export class RunProgress {
  run = $state.raw<RunSummary>() as RunSummary;
  attempts = $state.raw<RunAttempt[]>([]);
  /** What arrived of the attempt that is not judged yet. */
  text = $state('');
  /** When the attempt began, and how long its first piece took, in milliseconds. */
  startedAt = $state(performance.now());
  first = $state<number | null>(null);
  /** The tries before the one that failed, when it did. */
  overcome = $state.raw<RunRetry[]>([]);

  constructor(run: RunSummary) {
    this.run = run;
  }

  get live(): boolean {
    return this.run.status === 'running';
  }

  append(piece: string): void {
    this.first ??= performance.now() - this.startedAt;
    this.text += piece;
  }

  addAttempt(attempt: RunAttempt): void {
    this.attempts = [...this.attempts, attempt];
    this.text = '';
    this.first = null;
    this.startedAt = performance.now();
  }
}

/** Runs that were started together. */
interface Batch {
  /** Unknown until the service answers or an event arrives. */
  number: number | null;
  document: string;
  seeds: number;
  /** The most attempts of each run. */
  attempts: number;
}

export class RunState {
  readonly connections: ConnectionsState;
  /** How many seeds the next batch runs. */
  seeds = $state(1);
  /** The last batch of this document; it may have ended. */
  batch = $state.raw<Batch | null>(null);
  /** What the tab shows: the conversation, or single runs and the history. */
  mode = $state<'talk' | 'runs'>('talk');
  running = $state(false);
  stopping = $state(false);
  progress = $state.raw<RunProgress[]>([]);
  /** Why nothing was sent, or why the batch ended early. */
  problem = $state.raw<Failure | null>(null);
  history = $state.raw<RunSummary[]>([]);
  total = $state(0);
  damaged = $state(0);
  /** The run of the history that is looked at. */
  detail = $state.raw<RunDetail | null>(null);
  /** A clock for what is running. */
  now = $state(performance.now());

  readonly done = $derived(this.progress.filter((each) => !each.live).length);

  #studio: Studio;
  #deleted = $state.raw<ReadonlySet<number>>(new Set());
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The history without what was just deleted. */
  readonly visibleHistory = $derived(this.history.filter((run) => !this.#deleted.has(run.id)));

  constructor(studio: Studio) {
    this.#studio = studio;
    this.connections = new ConnectionsState(studio);
  }

  /** Another document was opened; a run of the one before goes on and is found in its history. */
  leave(): void {
    this.batch = null;
    this.running = false;
    this.progress = [];
    this.problem = null;
    this.history = [];
    this.total = 0;
    this.detail = null;
    clearInterval(this.#timer);
  }

  /** Loads what the tab shows. */
  async load(): Promise<void> {
    await Promise.all([this.connections.load(), this.#page(0)]);
  }

  async more(): Promise<void> {
    if (this.history.length < this.total) await this.#page(this.history.length);
  }

  async #page(offset: number): Promise<void> {
    const deck = this.#studio.deck;
    if (!deck) return;
    try {
      const page = await this.#studio.backend.runs(deck.document, offset, STRETCH);
      if (deck !== this.#studio.deck) return;
      this.history = offset === 0 ? page.runs : [...this.history, ...page.runs];
      this.total = page.total;
      this.damaged = page.damaged;
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Runs what is open, once everything typed has arrived. */
  async start(): Promise<void> {
    const { deck, view, backend, notices } = this.#studio;
    if (!deck || !view || this.running) return;
    this.mode = 'runs';
    void showTab(view, 'run');
    this.running = true;
    this.stopping = false;
    this.problem = null;
    this.progress = [];
    this.detail = null;
    this.batch = { number: null, document: deck.document, seeds: this.seeds, attempts: 1 };
    await this.connections.load();
    await deck.settled();
    if (deck !== this.#studio.deck) return;
    this.#timer = setInterval(() => (this.now = performance.now()), TICK);
    try {
      const connection = this.connections.current?.name ?? null;
      const begun = await backend.startRuns(deck.document, { connection, seeds: this.seeds });
      if (this.batch) this.batch = { ...this.batch, number: begun.batch, attempts: begun.attempts };
      if (this.stopping) await backend.stopRuns(begun.batch);
    } catch (error) {
      this.#over();
      notices.fail(error);
    }
  }

  stop(): void {
    if (!this.running) return;
    this.stopping = true;
    const number = this.batch?.number;
    if (typeof number !== 'number') return;
    this.#studio.backend.stopRuns(number).catch((error: unknown) => {
      this.#studio.notices.fail(error);
    });
  }

  /** Takes in what happened to a run. */
  onEvent(event: Event & { kind: 'run' }): void {
    if (event.document !== this.#studio.deck?.document) return;
    const batch = this.batch;
    // The first events may arrive before the answer with the batch's number.
    if (batch && this.running && batch.number === null) {
      this.batch = { ...batch, number: event.batch };
    }
    if (this.batch?.number === event.batch) this.#step(event.step);
    else if (event.step.step === 'ended') void this.#page(0);
  }

  #step(step: RunStep): void {
    switch (step.step) {
      case 'begun':
        this.progress = [...this.progress, new RunProgress(step.run)];
        break;
      case 'delta':
        this.#of(step.id)?.append(step.text);
        break;
      case 'judged':
        this.#of(step.id)?.addAttempt(step.attempt);
        break;
      case 'ended': {
        const progress = this.#of(step.run.id);
        if (progress) {
          progress.run = step.run;
          if (step.run.status === 'failed') void this.#readRetries(progress);
        }
        this.history = [step.run, ...this.history.filter((run) => run.id !== step.run.id)];
        this.total = Math.max(this.total + 1, this.history.length);
        break;
      }
      case 'over':
        this.problem = step.problem;
        this.#over();
        void this.#page(0);
        break;
    }
  }

  async #readRetries(progress: RunProgress): Promise<void> {
    progress.overcome = (await this.read(progress.run.id))?.overcome ?? [];
  }

  #of(id: number): RunProgress | undefined {
    return this.progress.find((each) => each.run.id === id);
  }

  #over(): void {
    this.running = false;
    this.stopping = false;
    clearInterval(this.#timer);
  }

  /** Looks at a run of the history, or at none. */
  async show(id: number | null): Promise<void> {
    this.detail = null;
    if (id === null) return;
    this.detail = (await this.read(id)) ?? null;
  }

  /** Everything about a run. */
  async read(id: number): Promise<RunDetail | undefined> {
    try {
      return await this.#studio.backend.run(id);
    } catch (error) {
      this.#studio.notices.fail(error);
      return undefined;
    }
  }

  /** Brings a run back as the document's state; it can be undone. */
  async reopen(run: RunSummary): Promise<void> {
    const { deck, backend, notices, snapshots } = this.#studio;
    if (!deck) return;
    const change = await deck.change(() => backend.reopenRun(deck.document, run.id));
    if (!change) return;
    notices.say(
      'ok',
      text.reopened(when(run.started_at, Date.now())),
      this.#studio.undoOffer(deck),
    );
    void snapshots.reload();
  }

  /** Takes a run out of the history; it is deleted once the undo offer expires. */
  remove(run: RunSummary): void {
    const change = (gone: boolean) => {
      const next = new Set(this.#deleted);
      if (gone) next.add(run.id);
      else next.delete(run.id);
      this.#deleted = next;
    };
    change(true);
    if (this.detail?.run.id === run.id) this.detail = null;
    this.progress = this.progress.filter((each) => each.run.id !== run.id);
    const forget = () => {
      this.#studio.backend.forgetRun(run.id).catch((error: unknown) => {
        change(false);
        this.#studio.notices.fail(error);
      });
    };
    this.#studio.notices.say('plain', text.runDeleted(when(run.started_at, Date.now())), {
      label: text.undo,
      run: () => change(false),
      lapse: forget,
    });
  }
}
