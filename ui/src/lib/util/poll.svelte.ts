// Asks again and again how far something is, while it runs.

export class Poll<T> {
  /** The last answer; null while nothing runs. */
  current = $state.raw<T | null>(null);
  readonly #ask: () => Promise<T | null>;
  readonly #every: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Asks every so many milliseconds. */
  constructor(ask: () => Promise<T | null>, every: number) {
    this.#ask = ask;
    this.#every = every;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.stop();
    const timer = setInterval(() => {
      const answered = this.#ask();
      answered.then(
        (answer) => {
          if (this.#timer === timer) this.current = answer;
        },
        () => undefined,
      );
    }, this.#every);
    this.#timer = timer;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.current = null;
  }
}
