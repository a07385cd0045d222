// What the Request tab shows and the Conversation panel edits: the call document in use, who the
// request is for, and the request the service made of both.
import type {
  CallChange,
  CallEntry,
  Choice,
  Conflict,
  Event,
  RequestParams,
  RequestView,
  RequestTarget,
} from '../ipc';
import { writesAtOnce } from '../document/conflict';
import { text } from '../text';
import { CallState } from './call.svelte';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';

export type Pane = 'layers' | 'body' | 'cache' | 'history';
export const PANES: readonly Pane[] = ['layers', 'body', 'cache', 'history'];

export const TARGETS: readonly RequestTarget[] = ['gemini', 'openai', 'chat_template'];

/** Stands for the format chosen in Chat, a model's own template or another, among the families. */
export const CHOSEN_FORMAT = 'chosen';

/** The families that have a builtin chat format. */
export const FAMILIES = ['chatml', 'qwen3', 'llama2', 'llama3', 'glm4', 'generic'] as const;

export class RequestState {
  list = $state.raw<CallEntry[]>([]);
  call = $state.raw<CallState | null>(null);
  conflict = $state.raw<Conflict | null>(null);
  target = $state<RequestTarget>('gemini');
  family = $state<string>(FAMILIES[0]);
  pane = $state<Pane>('layers');
  /** Where the name of a new call document is asked for. */
  naming = $state<'tab' | 'conversation' | null>(null);
  /** The argument whose field gets the focus once a call document shows it. */
  wantedArgument = $state<string | null>(null);
  current = $state.raw<RequestView | null>(null);
  /** Why nothing could be asked. */
  problem = $state<string>();

  /** How many call documents are on their way into use. */
  #changes = 0;
  #studio: Studio;
  #requestNumber = 0;
  /** How often the list was asked for, and which answer it shows. */
  #asked = 0;
  #listed = 0;
  /** The registry whose calls are looked at. */
  #registry: string | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  readonly params: RequestParams = $derived({
    call: this.call?.document ?? null,
    target: this.target,
    family: this.target === 'chat_template' ? this.family : null,
  });

  /** Whether another call document, or none, is on its way into use. */
  get isChanging(): boolean {
    return this.#changes > 0;
  }

  /** Goes to another registry: in use is the call document chosen last, else its first one. */
  async enter(registry: string): Promise<void> {
    this.#changes += 1;
    try {
      await this.#enter(registry);
    } finally {
      this.#changes -= 1;
    }
  }

  async #enter(registry: string): Promise<void> {
    this.#registry = registry;
    this.current = null;
    this.cancelNaming();
    const { target, family } = this.#studio.view?.receiver ?? {};
    const saved = TARGETS.find((known) => known === target);
    this.family = family ?? this.family;
    if (saved) this.target = saved;
    // A registry seen for the first time has the target of the one before, and keeps it.
    else this.receive(this.target);
    await this.#leave();
    await this.reload();
    const chosen = this.#studio.view?.call ?? null;
    if (chosen === '' || this.#registry !== registry) return;
    const usable = this.list.filter((entry) => entry.registry === registry && !entry.problem);
    const next =
      usable.find(({ document }) => document === chosen) ?? usable.find(({ backup }) => !backup);
    if (next) await this.#use(next.document);
  }

  /** Chooses who requests are for, also at the next start. */
  receive(target: RequestTarget, family = this.family): void {
    this.target = target;
    this.family = family;
    this.#studio.view?.chooseReceiver({ target, family });
  }

  async reload(): Promise<void> {
    const number = ++this.#asked;
    try {
      const list = await this.#studio.backend.calls();
      // One that was asked for earlier may come later, without the newest files.
      if (number < this.#listed) return;
      this.#listed = number;
      this.list = list;
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Takes a call document into use, or none, also at the next start. */
  async choose(document: string | null): Promise<void> {
    this.#studio.view?.chooseCall(document);
    if (document !== (this.call?.document ?? null)) await this.#use(document);
  }

  async #use(document: string | null): Promise<void> {
    const { backend, notices, deck } = this.#studio;
    this.#changes += 1;
    try {
      const left = this.call;
      await left?.settled();
      // The one that is left stays until the other is there: without any, another conversation would be
      // shown meanwhile.
      const opened = document === null ? null : await backend.openCall(document);
      await left?.settled();
      left?.close();
      const call = opened && new CallState(opened, backend, (error) => notices.fail(error));
      if (call && this.#studio.view) call.unread.remember(this.#studio.view.texts, call.document);
      this.call = call;
      this.conflict = opened?.conflict ?? null;
      if (call && opened?.draft)
        this.#studio.saving.sayOfDraft(call, opened.draft, text.request.draftBack(call.document));
      if (deck) await deck.change(() => backend.useCall(deck.document, document));
    } catch (error) {
      notices.fail(error);
    } finally {
      this.#changes -= 1;
    }
  }

  async #leave(): Promise<void> {
    const left = this.call;
    await left?.settled();
    left?.close();
    this.call = null;
    this.conflict = null;
  }

  /** A name for a new call document that none of the list has. */
  get proposedName(): string {
    const registry = this.#registry?.split('/').at(-1) ?? '';
    const stem = registry.replace(/\.json$/i, '');
    const file = (document: string) => document.split('/').at(-1)?.toLowerCase();
    const taken = new Set(this.list.map(({ document }) => file(document)));
    const isFree = (name: string) => !taken.has(`${name}.json`.toLowerCase());
    let [name, copy] = [stem, 2];
    while (!isFree(name)) name = `${stem}_${copy++}`;
    return name;
  }

  /** Asks for no name any more, nor for what was to be typed after it. */
  cancelNaming(): void {
    this.naming = null;
    this.wantedArgument = null;
  }

  /** Makes a call document about the open registry and takes it into use; without a name it is
      called as the registry. Throws why that is refused. */
  async create(name: string | null): Promise<void> {
    const { backend, deck } = this.#studio;
    if (!deck) return;
    const made = await backend.newCall(deck.document, name);
    this.naming = null;
    await this.reload();
    await this.choose(made);
  }

  /** Saves the call document when it is modified. */
  async save(call = this.call): Promise<void> {
    const { backend, notices } = this.#studio;
    if (!call?.status.modified) return;
    await call.settled();
    try {
      const saved = await backend.saveCall(call.document);
      call.takeSaved(saved.status);
      if (this.call === call) this.conflict = saved.conflict;
      this.#studio.saving.saved(call.document);
      if (saved.conflict) {
        const isOver = () => this.call === call && this.conflict === null;
        const words = text.notSaved(call.document, saved.conflict.disk);
        notices.say('warn', words, undefined, isOver);
        if (this.call === call) this.showConflict();
      } else notices.say('ok', text.savedTo(call.document, saved.kept));
      void this.reload();
    } catch (error) {
      const retry = { label: text.retry, run: () => void this.save(call) };
      this.#studio.saving.notSaved(call, error, retry);
    }
  }

  /** Shows where the versions of the call document are chosen from. */
  showConflict(): void {
    this.#studio.view?.showConversation();
  }

  /** Ends the conflict of the call document with its file. */
  async resolve(choices: Record<string, Choice>, all?: Choice): Promise<void> {
    const call = this.call;
    if (!call) return;
    const { backend, notices } = this.#studio;
    const writes = writesAtOnce(this.conflict);
    const done = await call.change(() => backend.resolveCall(call.document, choices));
    if (!done) return;
    this.conflict = null;
    if (all) notices.say('ok', text.choseAll[all](call.document));
    if (writes) await this.save();
  }

  /** Builds the current request; outdated results are dropped. */
  async refresh(): Promise<void> {
    const { backend, deck } = this.#studio;
    if (!deck) return;
    this.#requestNumber += 1;
    const number = this.#requestNumber;
    try {
      await deck.settled();
      await this.call?.settled();
      const answer = await backend.request(deck.document, this.params);
      if (number !== this.#requestNumber) return;
      this.current = answer;
      this.problem = undefined;
    } catch (error) {
      if (number === this.#requestNumber) this.problem = failureText(error);
    }
  }

  /** Puts what the Body view shows on the clipboard. */
  async copyBody(): Promise<void> {
    await this.refresh();
    const content = this.current?.text ?? this.current?.body;
    if (content) await this.#studio.copy(content, text.request.bodyCopied);
  }

  /** Says that names changed in a call document; its registry's file name alone is not worth a word. */
  #sayFollowed({ document, edits }: CallChange): void {
    const names = edits.filter(({ path }) => path[0] !== 'registry').length;
    if (names > 0) this.#studio.notices.say('plain', text.request.followed(document, names));
  }

  /** Handles an event of the service when it is about the call document. */
  onEvent(event: Event): void {
    const call = this.call;
    switch (event.kind) {
      case 'call_reloaded':
        if (event.change.document !== call?.document) break;
        call.receive(event.change);
        this.#studio.notices.say('plain', text.reloaded(call.document));
        break;
      case 'call_followed':
        if (event.change.document === call?.document) call.receive(event.change);
        this.#sayFollowed(event.change);
        break;
      case 'call_autosaved':
        if (event.document !== call?.document) break;
        if (event.report) {
          this.#studio.saving.saved(call.document);
          call.takeSaved(event.report.status);
          this.conflict = event.report.conflict;
          if (event.report.kept)
            this.#studio.notices.say('ok', text.savedTo(call.document, event.report.kept));
        } else if (event.problem) this.#studio.saving.notSaved(call, event.problem);
        break;
      case 'conflicted':
        if (event.document === call?.document) this.conflict = event.conflict;
        break;
      case 'conflict_over':
        if (event.document === call?.document) this.conflict = null;
        break;
      case 'draft':
        if (event.document === call?.document) this.#studio.saving.drafted(call, event);
        break;
      case 'workspace_changed':
        void this.reload();
        break;
    }
  }
}
