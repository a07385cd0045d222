// The conversation with the deck: the tree of turns, the branch that is shown, what is written next
// and the answer that arrives. The service builds requests, sends them and stores every turn.
import type {
  Event,
  Failure,
  Part,
  RequestTarget,
  RunStep,
  TalkMessage,
  TalkParams,
  TalkTurn,
  TalkView,
} from '../ipc';
import { openCalls, TalkTree, type Said } from '../document/talk-tree';
import { text } from '../text';
import { rekey } from '../util/rekey';
import { documentKey, followKey } from './document-key';
import type { RunEvent } from './early-run-events';
import { failureOf } from './notices.svelte';
import { LiveAnswer } from './live-answer.svelte';
import { nextTryOf } from './run-progress.svelte';
import { TalkForms } from './talk-forms.svelte';
import type { Studio } from './studio.svelte';
import { UnsentTurns } from './unsent-turns.svelte';

const TICK = 250;

/** Roles in which the author writes. */
export const AUTHOR_ROLES = ['user', 'system', 'assistant'] as const;
export type AuthorRole = (typeof AUTHOR_ROLES)[number];

/** A receiver of requests: a target, or a target with a chat format. */
export interface Receiver {
  target: RequestTarget;
  family: string | null;
}

export class TalkState {
  tree = $state.raw(new TalkTree());
  #leaf = $state<number | null>(null);
  damaged = $state(0);
  view = $state.raw<TalkView | null>(null);
  /** Why there is no view. */
  problem = $state.raw<Failure>();
  role = $state<AuthorRole>('user');
  /** The answer whose siblings are listed, and how the chosen one differs from another. */
  compared = $state<number | null>(null);
  difference = $state.raw<{ with: number; parts: Part[] } | null>(null);
  /** Whether the request is shown in the place of the turns. */
  showsRequest = $state(false);
  readonly forms = new TalkForms();
  /** How often the author added to the conversation. */
  added = $state(0);
  now = $state(0);

  readonly path = $derived(this.tree.path(this.leaf));
  readonly #open = $derived(openCalls<Said>([...(this.view?.before ?? []), ...this.path]));
  /** The turn, or the message of the call document, whose tool calls wait for results. */
  readonly asks = $derived(this.#open.asks);
  readonly openCalls = $derived(this.#open.calls);
  /** Why no request can be built or sent. An open tool call is shown where it is answered. */
  readonly obstacle = $derived.by(() => {
    if (this.running || this.openCalls.length > 0) return undefined;
    if (this.problem !== undefined) return this.problem;
    return this.view?.problem ?? this.view?.request.problem ?? undefined;
  });
  /** Whether there is something to answer. */
  readonly canSend = $derived.by(() => {
    if (this.#isBusy || this.openCalls.length > 0) return false;
    return this.draft.trim() !== '' || this.waits;
  });
  /** Whether the branch ends with a message that has no answer: one can be asked for as it is. */
  readonly waits = $derived.by(() => {
    const last = this.path.at(-1) ?? this.view?.before.at(-1);
    return last !== undefined && last.role !== 'assistant';
  });

  #studio: Studio;
  #timer: ReturnType<typeof setInterval> | undefined;
  #shown = '';
  /** The call document of the conversation that is shown. */
  #call: string | null = null;
  /** What was written and not sent in the conversation that is shown, and in all, by conversation. */
  #unsent = $state.raw() as UnsentTurns;
  readonly #drafts = new Map<string, UnsentTurns>();
  #requestNumber = 0;
  #live = $state.raw(new LiveAnswer());
  /** Answers on their way in conversations that are not shown. */
  readonly #others = new Map<string, LiveAnswer>();

  constructor(studio: Studio) {
    this.#studio = studio;
    this.#unsent = new UnsentTurns(studio, null);
  }

  /** Names the conversation of a registry and a call document. */
  #key(document: string, call: string | null): string {
    return documentKey(this.#studio.folder, document, call ?? '');
  }

  /** What the author writes next. It is kept until it is sent. */
  get draft(): string {
    return this.#unsent.draft;
  }

  set draft(written: string) {
    this.#unsent.draft = written;
  }

  /** The turn whose text is edited. */
  get editing(): number | null {
    return this.#unsent.editing;
  }

  set editing(turn: number | null) {
    this.#unsent.editing = turn;
  }

  get running() {
    return this.#live.running;
  }

  /** Whether nothing can be added: turns are on their way to the service, or an answer from it. */
  get #isBusy(): boolean {
    return this.running || this.#live.sending;
  }

  get stopping() {
    return this.#live.stopping;
  }

  get fault() {
    return this.#live.fault;
  }

  get arrived() {
    return this.#live.arrived;
  }

  /** The tool calls that have arrived with it. */
  get arrivedCalls() {
    return this.#live.calls;
  }

  get retry() {
    return this.#live.retry;
  }

  get startedAt() {
    return this.#live.startedAt;
  }

  get first() {
    return this.#live.first;
  }

  /** The last turn of the branch that is shown. It is remembered for the next start. */
  get leaf(): number | null {
    return this.#leaf;
  }

  set leaf(turn: number | null) {
    this.#leaf = turn;
    this.#studio.view?.keepBranch(this.#call, turn);
  }

  /** The target chosen in Request, or the first that the connection takes. */
  get receiver(): Receiver {
    const { request } = this.#studio;
    const targets = this.view?.targets ?? [];
    const target =
      targets.length === 0 || targets.includes(request.target) ? request.target : targets[0];
    return {
      target: target ?? request.target,
      family: target === 'chat_template' ? request.family : null,
    };
  }

  #paramsAt(leaf: number | null, beside: number | null = null): TalkParams {
    const { request, run } = this.#studio;
    return {
      call: request.call?.document ?? null,
      ...this.receiver,
      connection: run.connections.current?.name ?? null,
      leaf,
      // Later turns have what comes before them from their parent.
      beside: leaf === null ? beside : null,
    };
  }

  /**
   * Whether Ctrl+Enter is the conversation's: it is shown, and something was said or is written in it.
   * Otherwise the keys run the prompt alone.
   */
  get takesKeys(): boolean {
    if (!this.forms.composer) return false;
    return this.draft.trim() !== '' || this.path.length > 0 || (this.view?.before.length ?? 0) > 0;
  }

  /** Whether words are written in the conversation that is shown: *Run* sends them. */
  get isWritten(): boolean {
    return Boolean(this.forms.composer) && this.draft.trim() !== '';
  }

  /** What is written next and not sent, also before the conversation is loaded. */
  get unsent(): string {
    const { draft } = this;
    const { deck, request, view } = this.#studio;
    const call = request.call?.document ?? null;
    if (deck && this.#shown === this.#key(deck.document, call)) return draft;
    return view?.texts.get('next', call ?? '') ?? '';
  }

  /** What Ctrl+Enter does where no field takes it: asks for an answer, or leads to where one writes. */
  async pressKeys(): Promise<void> {
    if (this.canSend) await this.send();
    else this.forms.focus();
  }

  /** Loads the tree of the open registry and call document. */
  async load(): Promise<void> {
    const { backend, deck, request, notices } = this.#studio;
    if (!deck) return;
    const call = request.call?.document ?? null;
    const treeKey = this.#key(deck.document, call);
    if (treeKey !== this.#shown) {
      const typed = this.#unsent.takeTyped();
      this.#clear();
      this.#shown = treeKey;
      this.#call = call;
      this.#live = this.#others.get(treeKey) ?? this.#live;
      this.#others.delete(treeKey);
      if (this.running) this.#tick();
      const unsent = this.#drafts.get(treeKey) ?? new UnsentTurns(this.#studio, call);
      this.#drafts.set(treeKey, unsent);
      this.#unsent = unsent;
      unsent.enter();
      if (typed !== '') this.draft += typed;
    }
    try {
      const talk = await backend.talk(deck.document, call);
      if (treeKey !== this.#shown) return;
      this.tree = this.tree.with(...talk.turns);
      this.damaged = talk.damaged;
      this.#showKept();
    } catch (error) {
      notices.fail(error);
    }
  }

  /** Shows the branch that was shown last, which may be empty; at first the newest one. */
  #showKept(): void {
    const storedLeaf = this.#studio.view?.branch(this.#call);
    if (this.leaf !== null || storedLeaf === null) return;
    const leaf = this.tree.get(storedLeaf ?? null)?.id ?? this.tree.newest(null);
    if (leaf !== null) this.leaf = leaf;
  }

  /** Another document was opened; an answer on its way goes on and is found in its tree. */
  leave(): void {
    this.#clear();
    this.#shown = '';
  }

  /** Goes on with the conversations of registries that got another name. */
  renamed(newName: (document: string) => string): void {
    const key = followKey(this.#studio.folder, newName);
    this.#shown = key(this.#shown);
    rekey(this.#others, key);
    rekey(this.#drafts, key);
  }

  #clear(): void {
    this.#unsent = new UnsentTurns(this.#studio, null);
    this.tree = new TalkTree();
    // Of the conversation that is left: its branch stays remembered.
    this.#leaf = null;
    this.view = null;
    this.compared = null;
    this.difference = null;
    if (this.#isBusy) this.#others.set(this.#shown, this.#live);
    this.#live = new LiveAnswer();
    clearInterval(this.#timer);
  }

  /** Builds the request of the branch and the typed message; outdated results are dropped. */
  async refresh(): Promise<void> {
    const { backend, deck, request } = this.#studio;
    if (!deck) return;
    this.#requestNumber += 1;
    const number = this.#requestNumber;
    try {
      await deck.settled();
      await request.call?.settled();
      await this.#studio.chat?.write();
      const view = await backend.talkRequest(deck.document, this.#paramsAt(this.leaf), [
        ...this.typedResults,
        ...this.#written(),
      ]);
      if (number !== this.#requestNumber) return;
      this.view = view;
      this.problem = undefined;
    } catch (error) {
      if (number === this.#requestNumber) this.problem = failureOf(error);
    }
  }

  #written(): TalkMessage[] {
    if (this.draft.trim() === '') return [];
    return [{ role: this.role, content: this.draft, answers: null }];
  }

  /** The typed results of the open tool calls. */
  readonly typedResults: TalkMessage[] = $derived.by(() => {
    const turn = this.path.findLast(({ role }) => role !== 'tool') ?? null;
    return this.openCalls
      .map(({ id }) => [id, this.resultOf(turn, id)] as const)
      .filter(([, content]) => content.trim() !== '')
      .map(([answers, content]) => ({ role: 'tool', content, answers }));
  });

  /** Sends what is written and asks for an answer. */
  async send(): Promise<void> {
    if (!this.canSend) return;
    // What was seen of the request may be older than what is written.
    if (this.obstacle) await this.refresh();
    if (this.obstacle || !this.canSend) return;
    const [written, unsent] = [this.#written(), this.#unsent];
    const { draft } = unsent;
    // What the author writes as the assistant is the answer itself.
    const ask = written.length === 0 || this.role !== 'assistant';
    const added = await this.#add(this.leaf, written, ask);
    // The author may have written on, or opened another document, before the service answered.
    if (added) unsent.sent(draft);
  }

  /** Asks for another answer in the place of this one, whose buttons go. */
  async roll(turn: TalkTurn): Promise<void> {
    if (this.#isBusy) return;
    this.forms.focusComposer();
    await this.#add(turn.parent, [], true, turn.id);
  }

  /** Puts an edited turn beside the old one; a user's turn is answered again. */
  async edit(turn: TalkTurn, content: string): Promise<void> {
    if (this.#isBusy) return;
    // At once: what is typed now belongs to the next turn.
    this.forms.focusComposer();
    const message = { role: turn.role, content, answers: turn.answers };
    const ask = turn.role !== 'assistant';
    const unsent = this.#unsent;
    if (!(await this.#add(turn.parent, [message], ask, turn.id))) return;
    unsent.write('edit', String(turn.id), null);
    if (unsent.editing === turn.id) unsent.editing = null;
  }

  /** The text of a turn as it was edited; undefined while it is unchanged. */
  editOf(turn: TalkTurn): string | undefined {
    return this.#unsent.text('edit', String(turn.id));
  }

  /** Takes note of the edited text of a turn. */
  writeEdit(turn: TalkTurn, content: string): void {
    this.#unsent.write('edit', String(turn.id), content === turn.content ? null : content);
  }

  /** Closes the field of a turn and drops its edited text, which a notice gives back. */
  cancelEdit(turn: TalkTurn): void {
    const [content, shown] = [this.editOf(turn), this.#shown];
    this.editing = null;
    if (content === undefined) return;
    this.#unsent.write('edit', String(turn.id), null);
    this.#studio.notices.say('plain', text.talk.editDropped, {
      label: text.undo,
      run: () => {
        this.writeEdit(turn, content);
        this.editing = turn.id;
      },
      isStale: () => shown !== this.#shown || this.editOf(turn) !== undefined,
    });
  }

  /** What was typed as the result of a tool call of an answer, or of the call document. */
  resultOf(turn: TalkTurn | null, call: string): string {
    return this.#unsent.text('result', this.#resultName(turn, call)) ?? '';
  }

  writeResult(turn: TalkTurn | null, call: string, content: string): void {
    this.#unsent.write('result', this.#resultName(turn, call), content === '' ? null : content);
  }

  /** Of a call of a turn, or of the call document. */
  #resultName(turn: TalkTurn | null, call: string): string {
    return `${turn?.id ?? this.#call ?? ''}/${call}`;
  }

  /** Answers a tool call by hand; with the last result the model goes on. */
  async respond(turn: TalkTurn | null, call: string, content: string): Promise<void> {
    const message = { role: 'tool', content, answers: call };
    const unsent = this.#unsent;
    const name = this.#resultName(turn, call);
    const isLast = this.openCalls.length === 1;
    if (!(await this.#add(this.leaf, [message], isLast))) return;
    unsent.write('result', name, null);
    // Its field is gone; the next call has one of its own.
    if (isLast && unsent === this.#unsent) this.forms.focus();
  }

  async #add(
    leaf: number | null,
    messages: TalkMessage[],
    ask: boolean,
    beside: number | null = null,
  ): Promise<boolean> {
    const { backend, deck, request, notices, run } = this.#studio;
    if (!deck || this.#isBusy) return false;
    const unsent = this.#unsent;
    const live = new LiveAnswer();
    live.sending = true;
    live.running = ask;
    this.#live = live;
    this.compared = null;
    this.difference = null;
    if (ask) this.#tick();
    try {
      await run.connections.load();
      await deck.settled();
      await request.call?.settled();
      await this.#studio.chat?.write();
      const started = await backend.sendTurns(
        deck.document,
        this.#paramsAt(leaf, beside),
        messages,
        ask,
      );
      if (started.batch !== null && live.running) {
        live.batch = started.batch;
        for (const { step } of live.early.take(started.batch)) this.#step(live, step);
        if (live.stopping) await backend.stopRuns(started.batch);
      }
      // Another document may have been opened meanwhile; the turns are found in their own.
      if (unsent !== this.#unsent) return true;
      this.tree = this.tree.with(...started.turns.filter(({ id }) => !this.tree.get(id)));
      const last = started.turns.at(-1)?.id ?? leaf;
      // The answer's turn may have come before.
      if (this.tree.get(this.leaf)?.parent !== last || this.leaf === null) this.leaf = last;
      this.added += 1;
      return true;
    } catch (error) {
      this.#over(live);
      notices.fail(error);
      return false;
    } finally {
      live.sending = false;
      if (!live.running) this.#over(live);
    }
  }

  #tick(): void {
    this.now = performance.now();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => (this.now = performance.now()), TICK);
  }

  #over(live: LiveAnswer): void {
    live.over();
    if (live === this.#live) clearInterval(this.#timer);
    else for (const [key, other] of this.#others) if (other === live) this.#others.delete(key);
  }

  stop(): void {
    if (!this.running) return;
    this.#live.stopping = true;
    const { batch } = this.#live;
    if (batch === undefined) return;
    this.#studio.backend.stopRuns(batch).catch((error: unknown) => {
      this.#studio.notices.fail(error);
    });
  }

  /** Shows the newest branch through a turn. */
  choose(turn: TalkTurn): void {
    this.leaf = this.tree.newest(turn.id);
    this.difference = null;
    if (this.compared !== null) this.compared = turn.id;
  }

  /** Goes to the sibling before or after. */
  step(turn: TalkTurn, by: number): void {
    const siblings = this.tree.siblings(turn);
    const next = siblings[siblings.indexOf(turn) + by];
    if (next) this.choose(next);
  }

  /** Cuts the branch after a turn, to write on there; the turns after it stay in their branch. */
  continueFrom(turn: TalkTurn): void {
    this.leaf = turn.id;
    this.forms.focusComposer();
  }

  /** Starts an empty branch; the others stay. */
  restart(): void {
    this.leaf = null;
  }

  /** Starts an empty branch at the author's wish, and offers the way back. */
  startBranch(): void {
    const { leaf } = this;
    if (leaf === null) return;
    const shownLeaf = this.#shown;
    this.restart();
    this.forms.focusComposer();
    this.#studio.notices.say('plain', text.talk.branchStarted, {
      label: text.undo,
      run: () => (this.leaf = leaf),
      isStale: () => shownLeaf !== this.#shown || this.leaf !== null,
    });
  }

  /** Lists the siblings of an answer, or no longer. */
  list(turn: TalkTurn): void {
    this.compared = this.compared === turn.id ? null : turn.id;
    this.difference = null;
  }

  async compare(turn: TalkTurn, other: TalkTurn): Promise<void> {
    try {
      const parts = await this.#studio.backend.compareTurns(other.id, turn.id);
      this.difference = { with: other.id, parts };
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Writes the branch up to a turn into the call document, or into a new one without. */
  async keepAsCall(turn: TalkTurn): Promise<void> {
    const { backend, deck, request, notices } = this.#studio;
    if (!deck) return;
    // Taken before a new call document takes the place of this conversation.
    const params = this.#paramsAt(turn.id);
    const isNew = !request.call;
    try {
      if (isNew) await request.create(null);
    } catch (error) {
      notices.fail(error);
    }
    const { call } = request;
    if (!call) return;
    const { leaf } = this;
    // The turns go from the view, with the button that was pressed.
    this.forms.focusComposer();
    const change = await call.change(() => backend.keepCall(deck.document, params, call.document));
    if (!change) return;
    this.restart();
    // An author who asked for a new file expects the branch in it.
    if (isNew) await request.save();
    if (isNew && !call.status.modified) {
      notices.say('ok', text.talk.keptAsNewCall(call.document), {
        label: text.talk.showBranches,
        run: () => void request.choose(null),
        isStale: () => request.call !== call,
      });
    } else {
      notices.say('ok', text.talk.keptAsCall(call.document), {
        label: text.undo,
        run: () => {
          void call.undo();
          // Without its turns in the call the branch is shown again.
          if (request.call === call) this.leaf = leaf;
        },
      });
    }
  }

  /** Takes in a turn that was added or ended. */
  onTurn(event: Event & { kind: 'talk' }): void {
    if (documentKey(event.folder, event.document, event.call ?? '') !== this.#shown) return;
    const { turn } = event;
    const isNew = !this.tree.get(turn.id);
    this.tree = this.tree.with(turn);
    if (isNew && turn.state === 'streaming') this.leaf = turn.id;
  }

  /** Takes in the text of an answer on its way. */
  onRun(event: RunEvent): void {
    const all = [this.#live, ...this.#others.values()].filter(({ running }) => running);
    const known = all.find(({ batch }) => batch === event.batch);
    if (known) this.#step(known, event.step);
    else for (const { batch, early } of all) if (batch === undefined) early.hold(event);
  }

  #step(live: LiveAnswer, step: RunStep): void {
    if (step.step === 'over') {
      live.fault = step.problem;
      this.#over(live);
    } else if (step.step === 'delta' || step.step === 'calls') {
      if (live === this.#live && this.tree.ofRun(step.id)?.state !== 'streaming') return;
      if (step.step === 'delta') live.append(step.text);
      else live.setCalls(step.calls);
    } else if (step.step === 'retrying') {
      live.retry = { failed: step.error, next: nextTryOf(step) };
    } else if (step.step === 'judged') live.judge();
  }
}
