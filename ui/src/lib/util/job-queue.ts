// Jobs that are done one after the other.

export class JobQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** The jobs that the job at work adds: they come before those that wait. */
  #added: JobQueue | undefined;

  get isIdle(): boolean {
    return this.#added?.isIdle ?? this.#waiting === 0;
  }

  /** Resolves when the jobs that were added are done. */
  settled(): Promise<void> {
    return this.#added?.settled() ?? this.#last;
  }

  /** Does something at once, or after the jobs that were added. */
  next(job: () => void): Promise<void> {
    if (!this.isIdle) return this.add(() => Promise.resolve(job()));
    job();
    return Promise.resolve();
  }

  /** Does something after the jobs that were added, also after one that failed. */
  add(job: () => Promise<void>): Promise<void> {
    if (this.#added) return this.#added.add(job);
    this.#waiting += 1;
    const done = this.#last.then(job).finally(() => (this.#waiting -= 1));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Acts, within a job, as if none waited; done when the jobs are that this adds. */
  protected async actAlone(act: () => void): Promise<void> {
    const added = new JobQueue();
    this.#added = added;
    try {
      act();
    } finally {
      this.#added = undefined;
    }
    await added.settled();
  }
}
