// What the author wrote in one conversation and has not sent. It stays when another conversation is
// shown, and so does what becomes of it when the service answers only then.
import type { TextKind } from './saved-texts';
import type { Studio } from './studio.svelte';
import type { ViewState } from './view.svelte';

/** An edited turn or the result of a tool call: their fields leave the page with the tab. */
type FieldKind = TextKind & ('edit' | 'result');

const keyOf = (kind: FieldKind, name: string): string => `${kind}/${name}`;

export class UnsentTurns {
  #draft = $state('');
  /** The draft before it was typed into while another call was on its way into use. */
  #beforeChange: string | undefined;
  /** The turn whose text is edited. */
  editing = $state<number | null>(null);
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
    this.#beforeChange = this.#studio.request.isChanging
      ? (this.#beforeChange ?? this.#draft)
      : undefined;
    this.#draft = written;
    this.#keep('next', this.#call ?? '', written);
  }

  /** Takes out what was typed while another call was on its way into use: it is meant for that one. */
  takeTyped(): string {
    const before = this.#beforeChange;
    if (before === undefined || !this.#draft.startsWith(before)) return '';
    const typed = this.#draft.slice(before.length);
    if (typed !== '') this.draft = before;
    return typed;
  }

  /** Takes out what was sent; what was written behind it meanwhile stays. */
  sent(draft: string): void {
    if (this.#draft.startsWith(draft)) this.draft = this.#draft.slice(draft.length);
  }

  text(kind: FieldKind, name: string): string | undefined {
    return this.#texts.get(keyOf(kind, name));
  }

  write(kind: FieldKind, name: string, content: string | null): void {
    const texts = new Map(this.#texts);
    if (content === null) texts.delete(keyOf(kind, name));
    else texts.set(keyOf(kind, name), content);
    this.#texts = texts;
    this.#keep(kind, name, content ?? '');
  }

  /** It is shown: at first with what the view of its registry kept. */
  enter(): void {
    const { view } = this.#studio;
    if (!this.#view && view) {
      this.#draft = view.texts.get('next', this.#call ?? '') ?? '';
      const saved = (kind: FieldKind) =>
        view.texts.list(kind).map(([name, content]) => [keyOf(kind, name), content] as const);
      this.#texts = new Map([...saved('edit'), ...saved('result')]);
    }
    this.#view = view;
    // It may have been sent while another folder was open.
    this.#keep('next', this.#call ?? '', this.#draft);
  }

  /** Has the view of its registry keep a text for the next start. */
  #keep(kind: TextKind, name: string, content: string): void {
    const { view, folder } = this.#studio;
    // Views are kept by the name of their registry in the folder that is open.
    if (folder !== this.#folder) return;
    if (view?.file === this.#view?.file) {
      view?.texts.set(kind, name, content);
    } else if (this.#view) {
      this.#view.texts.set(kind, name, content);
      void this.#view.write();
    }
  }
}
