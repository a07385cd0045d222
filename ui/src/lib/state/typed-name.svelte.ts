// The name of a file or a sub-folder while it is typed: what it makes, or why it is refused. The service
// decides both, for what is typed as for what is then asked for.
import type { Backend, NamePurpose } from '../ipc';
import { reasonText } from './notices.svelte';

export class TypedName {
  /** The name that the typed words make; empty while there is none. */
  made = $state('');
  /** Why the name is refused. */
  problem = $state<string | null>(null);
  readonly #backend: Backend;
  readonly #purpose: () => NamePurpose;
  /** Answers about words that were typed before come too late. */
  #asked = 0;

  constructor(backend: Backend, purpose: () => NamePurpose) {
    this.#backend = backend;
    this.#purpose = purpose;
  }

  /** Asks what becomes of the words. None are no fault before they are entered. */
  type(words: string): void {
    const purpose = this.#purpose();
    this.#asked += 1;
    const asked = this.#asked;
    const take = (made: string, problem: string | null) => {
      if (asked === this.#asked) [this.made, this.problem] = [made, problem];
    };
    if (words.trim() === '') take('', null);
    else
      this.#backend.checkName(purpose, words).then(
        (made) => take(made, null),
        (error: unknown) => take('', reasonText(error)),
      );
  }

  /** Does what the name was typed for; false when that was refused, which is told at the name. */
  async enter(action: () => Promise<void>): Promise<boolean> {
    this.#asked += 1;
    try {
      await action();
      return true;
    } catch (error) {
      [this.made, this.problem] = ['', reasonText(error)];
      return false;
    }
  }
}
