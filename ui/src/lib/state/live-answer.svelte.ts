// An answer of a conversation while it arrives.
import type { Failure, RunCall, RunRetry } from '../ipc';
import { EarlyRunEvents } from './early-run-events';
import type { NextTry } from './run-progress.svelte';

/** It goes on when another document is opened, and is shown again with its own. */
export class LiveAnswer {
  /** Number of its batch; undefined before the service answered. */
  batch = $state<number | undefined>();
  readonly early = new EarlyRunEvents();
  running = $state(false);
  /** Whether turns are on their way to the service, with or without a wish for an answer. */
  sending = $state(false);
  stopping = $state(false);
  /** Why it did not begin, or ended early. */
  fault = $state.raw<Failure | null>(null);
  /** What has arrived of it; only its turn reads it. */
  arrived = $state('');
  /** Its tool calls, as far as they have arrived. */
  calls = $state.raw<RunCall[]>([]);
  startedAt = performance.now();
  /** How long its first piece took, in milliseconds. */
  first = $state<number | null>(null);
  /** The last try that failed and is repeated, and the try that follows it. */
  retry = $state.raw<{ failed: RunRetry; next: NextTry } | undefined>();
  /** Whether the attempt that arrived is complete; the next one replaces it. */
  #judged = false;

  append(piece: string): void {
    this.#begin();
    this.arrived += piece;
  }

  setCalls(calls: RunCall[]): void {
    this.#begin();
    this.calls = calls;
  }

  #begin(): void {
    this.retry = undefined;
    this.first ??= performance.now() - this.startedAt;
    if (!this.#judged) return;
    this.#judged = false;
    this.arrived = '';
    this.calls = [];
  }

  judge(): void {
    this.retry = undefined;
    this.#judged = true;
  }

  over(): void {
    this.running = false;
    this.stopping = false;
  }
}
