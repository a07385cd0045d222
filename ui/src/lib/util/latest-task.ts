// Runs a task at most once at a time. Requests that come while it runs cause one more run, so that
// only the newest state is asked about.

/** How long after the last request the task starts, in milliseconds. */
const DEBOUNCE_MS = 30;

export class LatestTask {
  #work: () => Promise<void>;
  #failed: (error: unknown) => void;
  #running = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => Promise<void>, failed: (error: unknown) => void) {
    this.#work = work;
    this.#failed = failed;
  }

  schedule(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), DEBOUNCE_MS);
  }

  async #run(): Promise<void> {
    this.#running = true;
    do {
      this.#again = false;
      try {
        await this.#work();
      } catch (error) {
        this.#failed(error);
      }
    } while (this.#again);
    this.#running = false;
  }
}
