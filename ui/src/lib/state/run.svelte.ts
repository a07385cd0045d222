// Runs of the open document: the current batch with the progress of each run, and the history. The
// service sends requests and judges responses; connections have their own state.
import { tick } from 'svelte';
import type { RunDetail, RunStep, RunSummary } from '../ipc';
import { text, when } from '../text';
import { rekey } from '../util/rekey';
import { showTab } from '../window/columns';
import { ConnectionsState } from './connections.svelte';
import { documentKey, followKey } from './document-key';
import type { RunEvent } from './early-run-events';
import { LiveRuns, RunProgress } from './run-progress.svelte';
import type { Studio } from './studio.svelte';

const STRETCH = 50;
const TICK = 100;

export const MOST_SEEDS = 24;

export class RunState {
  readonly connections: ConnectionsState;
  /** How many seeds the next batch runs. */
  seeds = $state(1);
  /** What the tab shows: the conversation, or single runs and the history. */
  mode = $state<'talk' | 'runs'>('talk');
  history = $state.raw<RunSummary[]>([]);
  total = $state(0);
  damaged = $state(0);
  /** The run of the history that is looked at. */
  detail = $state.raw<RunDetail | null>(null);
  /** A clock for what is running. */
  now = $state(performance.now());

  readonly done = $derived(this.progress.filter((each) => !each.live).length);

  #studio: Studio;
  #live = $state.raw(new LiveRuns());
  /** The document they are of, by its key, and those of others that go on. */
  #shown: string | undefined;
  readonly #others = new Map<string, LiveRuns>();
  #deleted = $state.raw<ReadonlySet<number>>(new Set());
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The history without what was just deleted. */
  readonly visibleHistory = $derived(this.history.filter((run) => !this.#deleted.has(run.id)));

  constructor(studio: Studio) {
    this.#studio = studio;
    this.connections = new ConnectionsState(studio);
  }

  get batch() {
    return this.#live.batch;
  }

  get running() {
    return this.#live.running;
  }

  get stopping() {
    return this.#live.stopping;
  }

  get progress() {
    return this.#live.progress;
  }

  get problem() {
    return this.#live.problem;
  }

  /** Another document was opened, or none; a run of the one before goes on. */
  enter(document: string | undefined): void {
    if (this.running && this.#shown !== undefined) this.#others.set(this.#shown, this.#live);
    const shownKey = document === undefined ? '' : documentKey(this.#studio.folder, document);
    this.#shown = document === undefined ? undefined : shownKey;
    this.#live = this.#others.get(shownKey) ?? new LiveRuns();
    this.#others.delete(shownKey);
    this.history = [];
    this.total = 0;
    this.detail = null;
    clearInterval(this.#timer);
    if (this.running) this.#tick();
  }

  /** Goes on with runs of documents that got another name. */
  renamed(newName: (document: string) => string): void {
    const key = followKey(this.#studio.folder, newName);
    if (this.#shown !== undefined) this.#shown = key(this.#shown);
    rekey(this.#others, key);
  }

  #all(): LiveRuns[] {
    return [this.#live, ...this.#others.values()];
  }

  #tick(): void {
    this.#timer = setInterval(() => (this.now = performance.now()), TICK);
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

  /** Shows the conversation, ready to write in. */
  async openConversation(): Promise<void> {
    this.mode = 'talk';
    await tick();
    this.#studio.talk.forms.focus();
  }

  /** What *Run* does: sends what is written in the conversation that is shown, else the prompt alone. */
  async press(): Promise<void> {
    const { talk } = this.#studio;
    await (talk.isWritten ? talk.pressKeys() : this.start());
  }

  /** Runs what is open, once everything typed has arrived. */
  async start(): Promise<void> {
    const { deck, view, backend, notices } = this.#studio;
    if (!deck || !view || this.running) return;
    this.mode = 'runs';
    void showTab(view, 'run');
    const live = new LiveRuns();
    live.running = true;
    live.batch = { number: null, seeds: this.seeds, attempts: 1 };
    this.#live = live;
    this.detail = null;
    this.#tick();
    await this.connections.load();
    await deck.settled();
    try {
      const connection = this.connections.current?.name ?? null;
      const begun = await backend.startRuns(deck.document, { connection, seeds: this.seeds });
      live.batch = { ...live.batch, number: begun.batch, attempts: begun.attempts };
      for (const { step } of live.early.take(begun.batch)) {
        this.#step(live, step, live === this.#live);
      }
      if (live.stopping) await backend.stopRuns(begun.batch);
    } catch (error) {
      this.#over(live);
      notices.fail(error);
    }
  }

  stop(): void {
    if (!this.running) return;
    this.#live.stopping = true;
    const number = this.batch?.number;
    if (typeof number !== 'number') return;
    this.#studio.backend.stopRuns(number).catch((error: unknown) => {
      this.#studio.notices.fail(error);
    });
  }

  /** Takes in what happened to a run. */
  onEvent(event: RunEvent): void {
    const all = this.#all();
    const known = all.find(({ batch }) => batch?.number === event.batch);
    if (known) {
      this.#step(known, event.step, known === this.#live);
      return;
    }
    for (const { batch, running, early } of all) {
      if (running && batch?.number === null) early.hold(event);
    }
    if (event.document === this.#studio.deck?.document && event.step.step === 'ended') {
      void this.#page(0);
    }
  }

  #step(live: LiveRuns, step: RunStep, isShown: boolean): void {
    switch (step.step) {
      case 'begun':
        live.progress = [...live.progress, new RunProgress(step.run)];
        break;
      case 'delta':
        live.of(step.id)?.append(step.text);
        break;
      case 'calls':
        live.of(step.id)?.setCalls(step.calls);
        break;
      case 'retrying':
        live.of(step.id)?.retry(step);
        break;
      case 'judged':
        live.of(step.id)?.addAttempt(step.attempt);
        break;
      case 'ended': {
        const progress = live.of(step.run.id);
        if (progress) {
          progress.run = step.run;
          progress.nextTry = undefined;
        }
        if (!isShown) break;
        this.history = [step.run, ...this.history.filter((run) => run.id !== step.run.id)];
        this.total = Math.max(this.total + 1, this.history.length);
        break;
      }
      case 'over':
        live.problem = step.problem;
        this.#over(live);
        if (isShown) void this.#page(0);
        break;
    }
  }

  #over(live: LiveRuns): void {
    live.over();
    if (live === this.#live) clearInterval(this.#timer);
    // Of another document: it is in its history now.
    else for (const [key, other] of this.#others) if (other === live) this.#others.delete(key);
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
    this.#live.progress = this.progress.filter((each) => each.run.id !== run.id);
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
