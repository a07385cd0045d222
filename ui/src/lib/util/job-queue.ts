// Jobs that are done one after the other.

export class JobQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when the jobs that were added are done. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Does something at once, or after the jobs that were added. */
  next(job: () => void): Promise<void> {
    if (!this.isIdle) return this.add(() => Promise.resolve(job()));
    job();
    return Promise.resolve();
  }

  /** Does something after the jobs that were added, also after one that failed. */
  add(job: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    const done = this.#last.then(job).finally(() => (this.#waiting -= 1));
    this.#last = done.catch(() => undefined);
    return done;
  }
}
