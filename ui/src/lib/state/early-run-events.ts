// Events of a batch that arrive before the service has answered with its number: until then nobody can
// say whether they are of this batch or of another one, as of an answer that ends.
import type { Event } from '../ipc';

export type RunEvent = Event & { kind: 'run' };

export class EarlyRunEvents {
  #held: RunEvent[] = [];

  hold(event: RunEvent): void {
    this.#held.push(event);
  }

  /** Those of the batch, in their order. The others are not wanted any more. */
  take(batch: number): RunEvent[] {
    const batchEvents = this.#held.filter((event) => event.batch === batch);
    this.#held = [];
    return batchEvents;
  }
}
