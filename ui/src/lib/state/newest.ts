// Questions of which only the newest matters: one is under way at a time, and however many were
// asked meanwhile, one more follows when it is answered.

/** How long after the last asking a question is put, in milliseconds. */
const SETTLE = 30;

export class Newest {
  #work: () => Promise<void>;
  #failed: (error: unknown) => void;
  #running = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => Promise<void>, failed: (error: unknown) => void) {
    this.#work = work;
    this.#failed = failed;
  }

  ask(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), SETTLE);
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
