// What an edit changes in the rolls: the summary of the status bar, and the comparison of two versions
// while its tab is open. The newest request wins; the last result stays until the next one is there.
import type {
  Backend,
  Comparison,
  EditImpact,
  Impact,
  ImpactParams,
  ProfileProgress,
  Side,
  SnapshotImpact,
} from '../ipc';
import { Poll } from '../util/poll.svelte';
import { failureText, isFailure } from './notices.svelte';
import { FIRST_ROLLS, POLL_MS } from './profile.svelte';

const isSuperseded = (error: unknown) => isFailure(error) && error.code === 'superseded';

/** What of the comparison is kept while its tab is closed. */
export class ImpactSettings {
  /** Whether Compare compares one roll, or every roll of a sample. */
  compares = $state<'one' | 'every'>('one');
  rolls = $state<number>(FIRST_ROLLS);
  #first: number | undefined;
  #seen: number | undefined;
  #comparisonNumber: number | undefined;

  /**
   * The first seed of the sample: the document's. A roll that is opened from the comparison is part
   * of its sample, which stays.
   */
  firstSeed(seed: number): number {
    if (seed !== this.#seen) {
      this.#seen = seed;
      if (seed !== this.#comparisonNumber || this.#first === undefined) this.#first = seed;
    }
    return this.#first ?? seed;
  }

  /** Takes note that a roll of the sample becomes the document's. */
  opening(seed: number): void {
    this.#comparisonNumber = seed;
  }
}

/** What the edits of the open document change against its file. */
export class EditImpactState {
  summary = $state.raw<EditImpact | null>(null);
  /** Why nothing could be compared. */
  problem = $state<string>();
  /** Whether the file as last saved does not have the route in use. */
  lacksRoute = $state(false);
  readonly #backend: Backend;
  #requestNumber = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** What is measured now is out of date: its result would be drawn while the author types. */
  outdate(): void {
    this.#requestNumber += 1;
  }

  clear(): void {
    this.outdate();
    this.summary = null;
    this.problem = undefined;
  }

  async measure(
    document: string,
    { seed, budget }: { seed: number; budget: number | null },
    settled: () => Promise<unknown>,
  ): Promise<void> {
    this.#requestNumber += 1;
    const number = this.#requestNumber;
    try {
      await settled();
      if (number !== this.#requestNumber) return;
      const summary = await this.#backend.editImpact(document, seed, budget);
      if (number !== this.#requestNumber) return;
      this.summary = summary;
      this.problem = undefined;
    } catch (error) {
      if (number !== this.#requestNumber || isSuperseded(error)) return;
      this.summary = null;
      this.problem = failureText(error);
      this.lacksRoute = isFailure(error) && error.code === 'unknown_route';
    }
  }
}

/** The comparison of two versions in every roll of a sample. */
export class ImpactState {
  impact = $state.raw<Impact | null>(null);
  problem = $state<string>();
  snapshots = $state.raw<SnapshotImpact | null>(null);
  /** The seed of the row that is open, and what differs in it. */
  open = $state<number | null>(null);
  comparison = $state.raw<Comparison | null>(null);
  rowProblem = $state<string>();
  /** The versions of the impact shown. */
  #sides: [Side, Side] | undefined;
  readonly #backend: Backend;
  readonly #document: string;
  readonly #settled: () => Promise<unknown>;
  readonly #poll: Poll<ProfileProgress>;
  #requestNumber = 0;
  #comparisonNumber = 0;

  constructor(backend: Backend, document: string, settled: () => Promise<unknown>) {
    this.#backend = backend;
    this.#document = document;
    this.#settled = settled;
    this.#poll = new Poll(() => backend.impactProgress(), POLL_MS);
  }

  /** How far a large sample is. */
  get progress(): ProfileProgress | null {
    return this.#poll.current;
  }

  /** What is measured now is out of date: its result would be drawn while the author types. */
  outdate(): void {
    this.#requestNumber += 1;
    this.#poll.stop();
  }

  /** Compares the first rolls at once, more of them after that. */
  async measure(params: ImpactParams, withSnapshots: boolean): Promise<void> {
    this.outdate();
    const number = this.#requestNumber;
    const newest = () => number === this.#requestNumber;
    try {
      await this.#settled();
      if (!newest()) return;
      const samples = params.rolls > FIRST_ROLLS ? [FIRST_ROLLS, params.rolls] : [params.rolls];
      for (const rolls of samples) {
        if (rolls > FIRST_ROLLS) this.#poll.start();
        const impact = await this.#backend.measureImpact(this.#document, { ...params, rolls });
        if (!newest()) return;
        this.#show(impact, params);
        if (rolls === FIRST_ROLLS) void this.#measureSnapshots(withSnapshots, newest);
      }
    } catch (error) {
      if (!newest() || isSuperseded(error)) return;
      this.impact = null;
      this.problem = failureText(error);
    } finally {
      if (newest()) this.#poll.stop();
    }
  }

  async #measureSnapshots(wanted: boolean, newest: () => boolean): Promise<void> {
    if (!wanted) {
      this.snapshots = null;
      return;
    }
    try {
      const found = await this.#backend.snapshotImpact(this.#document);
      if (newest()) this.snapshots = found;
    } catch (error) {
      if (!newest() || isSuperseded(error)) return;
      this.snapshots = null;
      this.problem = failureText(error);
    }
  }

  /** Ends the large sample; what was compared of it is shown. */
  stop(): void {
    void this.#backend.stopImpact();
  }

  /** Ends all work: the tab is closed. */
  close(): void {
    this.#requestNumber += 1;
    this.#comparisonNumber += 1;
    if (this.#poll.running) this.stop();
    this.#poll.stop();
  }

  #show(impact: Impact, { before, after }: ImpactParams): void {
    this.impact = impact;
    this.problem = undefined;
    this.#sides = [before, after];
    const { changes } = impact;
    const still = changes.some(({ seed }) => seed === this.open);
    void this.show(still ? this.open : (changes[0]?.seed ?? null));
  }

  /** Shows what differs in a roll; null closes the open one. */
  async show(seed: number | null): Promise<void> {
    this.#comparisonNumber += 1;
    const number = this.#comparisonNumber;
    if (seed !== this.open) this.comparison = null;
    this.open = seed;
    this.rowProblem = undefined;
    if (seed === null || !this.#sides) return;
    try {
      const found = await this.#backend.compareRoll(this.#document, ...this.#sides, seed);
      if (number === this.#comparisonNumber) this.comparison = found;
    } catch (error) {
      if (number === this.#comparisonNumber) this.rowProblem = failureText(error);
    }
  }
}
