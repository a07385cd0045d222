// Runs of a document that were started together and are on their way. They go on when another document
// is opened, and are shown again with their own.
import type { Failure, RunAttempt, RunCall, RunRetry, RunStep, RunSummary } from '../ipc';
import { EarlyRunEvents } from './early-run-events';

/** The try that follows a failed one. */
export interface NextTry {
  number: number;
  /** The most tries. */
  most: number;
  /** When it begins, on the clock of `performance.now`. */
  at: number;
}

export const nextTryOf = ({ number, most, pause_ms }: RunStep & { step: 'retrying' }): NextTry => ({
  number,
  most,
  at: performance.now() + pause_ms,
});

/** The progress of a run: its judged attempts, and what arrives of the attempt after them. */
export class RunProgress {
  run = $state.raw<RunSummary>() as RunSummary;
  attempts = $state.raw<RunAttempt[]>([]);
  /** What arrived of the attempt that is not judged yet. */
  text = $state('');
  calls = $state.raw<RunCall[]>([]);
  /** When the attempt began, and how long its first piece took, in milliseconds. */
  startedAt = $state(performance.now());
  first = $state<number | null>(null);
  /** The failed tries of that attempt that were repeated, and the try that follows the last one. */
  overcome = $state.raw<RunRetry[]>([]);
  nextTry = $state.raw<NextTry | undefined>();

  constructor(run: RunSummary) {
    this.run = run;
  }

  get live(): boolean {
    return this.run.status === 'running';
  }

  append(piece: string): void {
    this.first ??= performance.now() - this.startedAt;
    this.nextTry = undefined;
    this.text += piece;
  }

  setCalls(calls: RunCall[]): void {
    this.first ??= performance.now() - this.startedAt;
    this.nextTry = undefined;
    this.calls = calls;
  }

  retry(step: RunStep & { step: 'retrying' }): void {
    this.overcome = [...this.overcome, step.error];
    this.nextTry = nextTryOf(step);
  }

  addAttempt(attempt: RunAttempt): void {
    this.attempts = [...this.attempts, attempt];
    this.text = '';
    this.calls = [];
    this.overcome = [];
    this.nextTry = undefined;
    this.first = null;
    this.startedAt = performance.now();
  }
}

/** Runs that were started together. */
interface Batch {
  /** Unknown until the service answers. */
  number: number | null;
  seeds: number;
  /** The most attempts of each run. */
  attempts: number;
}

/** The last batch of a document and its runs. */
export class LiveRuns {
  /** It may have ended. */
  batch = $state.raw<Batch | null>(null);
  readonly early = new EarlyRunEvents();
  running = $state(false);
  stopping = $state(false);
  progress = $state.raw<RunProgress[]>([]);
  /** Why nothing was sent, or why the batch ended early. */
  problem = $state.raw<Failure | null>(null);

  over(): void {
    this.running = false;
    this.stopping = false;
  }

  of(id: number): RunProgress | undefined {
    return this.progress.find((each) => each.run.id === id);
  }
}
