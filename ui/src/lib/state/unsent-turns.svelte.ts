// What the author wrote in one conversation and has not sent. It stays when another conversation is
// shown, and so does what becomes of it when the service answers only then.
import type { TalkTurn } from '../ipc';
import type { Studio } from './studio.svelte';
import type { ViewState } from './view.svelte';

/** Where the next turn of a conversation is written. */
export const nextKey = (call: string | null) => `next/${call ?? ''}`;
export const editKey = (turn: TalkTurn) => `edit/${turn.id}`;
/** Of a call of a turn, or of the call document. */
export const resultKey = (asks: number | string, call: string) => `result/${asks}/${call}`;

export class UnsentTurns {
  #draft = $state('');
  /** The turn whose text is edited. */
  editing = $state<number | null>(null);
  /** Edited texts of turns and typed results of tool calls: the fields leave the page with the tab. */
  #texts = $state.raw<ReadonlyMap<string, string>>(new Map());
  readonly #studio: Studio;
  readonly #call: string | null;
  /** How its registry was looked at when it was shown last, and in which folder. */
  #view: ViewState | null = null;
  readonly #folder: string;

  constructor(studio: Studio, call: string | null) {
    [this.#studio, this.#call, this.#folder] = [studio, call, studio.folder];
  }

  get draft(): string {
    return this.#draft;
  }

  set draft(written: string) {
    this.#draft = written;
    this.#keep(nextKey(this.#call), written);
  }

  text(key: string): string | undefined {
    return this.#texts.get(key);
  }

  write(key: string, content: string | null): void {
    const texts = new Map(this.#texts);
    if (content === null) texts.delete(key);
    else texts.set(key, content);
    this.#texts = texts;
    this.#keep(key, content ?? '');
  }

  /** It is shown: at first with what the view of its registry kept. */
  enter(): void {
    const { view } = this.#studio;
    if (!this.#view) {
      this.#draft = view?.unsent.get(nextKey(this.#call)) ?? '';
      this.#texts = new Map(view?.unsent);
    }
    this.#view = view;
    // It may have been sent while another folder was open.
    this.#keep(nextKey(this.#call), this.#draft);
  }

  /** Has the view of its registry keep a text for the next start. */
  #keep(key: string, content: string): void {
    const { view, folder } = this.#studio;
    // Views are kept by the name of their registry in the folder that is open.
    if (folder !== this.#folder) return;
    if (view?.file === this.#view?.file) {
      view?.keepUnsent(key, content);
    } else if (this.#view) {
      this.#view.keepUnsent(key, content);
      void this.#view.write();
    }
  }
}
