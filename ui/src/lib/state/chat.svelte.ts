// The Chat tab of one document: what it is set to, and what the service makes of it. A change shows
// at once, is written down a moment later, and follows the preview: one question at a time, and the
// newest setup is the one that is asked about.
import type {
  Backend,
  ChatForm,
  ChatInspection,
  ChatMessage,
  ChatModel,
  ChatFamily,
  ChatProblem,
  ChatReport,
  ChatSetup,
  ChatSlot,
  ChatStability,
  ChatTemplate,
  ChatTrial,
} from '../ipc';
import { text } from '../text';
import { LatestTask } from '../util/latest-task';
import type { Notices } from './notices.svelte';

/** A change is kept this long after the last keystroke, and at least that often while typing. */
const WRITE_AFTER = 250;
const WRITE_AT_LATEST = 1000;

export type ChatPanel = 'capabilities' | 'conversation' | 'template' | 'checks' | 'compare';

/** A place of the template that is to be shown; counted up so that asking twice shows it twice. */
export interface Reveal {
  line: number;
  column: number;
  request: number;
}

interface Owner {
  backend: Backend;
  notices: Notices;
}

export class ChatState {
  setup = $state.raw<ChatSetup | null>(null);
  model = $state.raw<ChatModel | null>(null);
  other = $state.raw<ChatModel | null>(null);
  families = $state.raw<ChatFamily[]>([]);
  /** The last report that has a text, and what is wrong now. */
  report = $state.raw<ChatReport | null>(null);
  problem = $state.raw<ChatProblem | null>(null);
  inspection = $state.raw<ChatInspection | null>(null);
  trials = $state.raw<ChatTrial[] | null>(null);
  /** The format to compare with. */
  against = $state.raw<ChatTemplate>({ kind: 'family', family: 'QWEN_2_X' });
  panel = $state<ChatPanel>('capabilities');
  panelOpen = $state(true);
  reveal = $state.raw<Reveal | null>(null);
  /** The row of the conversation that is to be focused. */
  focus = $state.raw<{ row: number } | null>(null);

  readonly document: string;
  #backend: Backend;
  #notices: Notices;
  #inspectedKey = '';
  #preview = 0;
  /** The call document whose messages are shown and its revision; empty for the example. */
  #call = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dirtySince: number | undefined;
  #render = new LatestTask(
    async () => {
      const setup = this.setup;
      if (!setup) return;
      const report = await this.#backend.renderChat(this.document, setup);
      this.problem = report.problem;
      if (!report.problem) this.report = report;
    },
    (error) => this.#notices.fail(error),
  );
  #inspect = new LatestTask(
    async () => {
      const setup = this.setup;
      if (!setup) return;
      const key = this.#inspectionKey(setup);
      if (key === this.#inspectedKey) return;
      const inspection = await this.#backend.inspectChat(this.document, setup);
      this.#inspectedKey = key;
      // What is known of the last template that compiled is of more use than nothing.
      if (!inspection.problem) this.inspection = inspection;
    },
    (error) => this.#notices.fail(error),
  );
  #compare = new LatestTask(
    async () => {
      if (!this.setup) return;
      this.trials = await this.#backend.compareChat(this.document, this.setup, this.against);
    },
    (error) => this.#notices.fail(error),
  );

  constructor(document: string, { backend, notices }: Owner) {
    this.document = document;
    this.#backend = backend;
    this.#notices = notices;
  }

  /** The text of the template in use; undefined for a builtin format. */
  readonly source = $derived.by(() => {
    if (!this.setup) return undefined;
    const { template, text: own } = this.setup;
    if (template.kind === 'own') return own;
    return template.kind === 'model' ? (this.model?.template ?? undefined) : undefined;
  });

  /** What is to be noted of the template and of this conversation. */
  readonly remarks = $derived([
    ...(this.report?.remarks ?? []),
    ...(this.inspection?.remarks ?? []),
  ]);
  /** Whether each message only appends text. The report of a template that can't be rendered is the
      one before it: nothing is known then. */
  readonly stability = $derived.by((): ChatStability | undefined =>
    this.problem ? { kind: 'unknown', problem: this.problem } : this.report?.stability,
  );

  /** Reads what was saved; once. */
  async start(): Promise<void> {
    if (this.setup) return;
    try {
      const { setup, model, other, families } = await this.#backend.chat(this.document);
      this.model = model;
      this.other = other;
      this.families = families;
      this.setup = setup;
    } catch (error) {
      this.#notices.fail(error);
    }
  }

  /** Something the text depends on changed: the preview of this number, or the call document. */
  follow(preview = this.#preview, call = this.#call): void {
    this.#preview = preview;
    this.#call = call;
    this.#render.schedule();
    this.#inspect.schedule();
    if (this.panel === 'compare' && this.panelOpen) this.#compare.schedule();
  }

  /** What an inspection depends on: the template, and for its variables the conversation. */
  #inspectionKey(setup: ChatSetup): string {
    const whole = this.panel === 'checks' && this.panelOpen;
    return JSON.stringify([
      setup.template,
      setup.template.kind === 'own' ? setup.text : '',
      this.model,
      whole ? [setup, this.#preview, this.#call] : setup.thinking,
    ]);
  }

  change(part: Partial<ChatSetup>): void {
    if (!this.setup) return;
    this.setup = { ...this.setup, ...part };
    this.#scheduleWrite();
  }

  #scheduleWrite(): void {
    const now = Date.now();
    this.#dirtySince ??= now;
    const left = this.#dirtySince + WRITE_AT_LATEST - now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), Math.max(0, Math.min(WRITE_AFTER, left)));
  }

  /** Writes what is not saved yet. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#dirtySince === undefined || !this.setup) return;
    this.#dirtySince = undefined;
    try {
      await this.#backend.saveChat(this.document, this.setup);
    } catch (error) {
      this.#notices.fail(error);
    }
  }

  showPanel(panel: ChatPanel): void {
    this.panel = panel;
    this.panelOpen = true;
    this.follow();
  }

  // The conversation.

  #messages(messages: ChatMessage[]): void {
    this.change({ messages });
  }

  changeMessage(row: number, part: Partial<ChatMessage>): void {
    const messages = this.setup?.messages ?? [];
    this.#messages(messages.map((each, at) => (at === row ? { ...each, ...part } : each)));
  }

  /** Adds a message of the next role, and goes to it. */
  addMessage(): void {
    const messages = this.setup?.messages ?? [];
    const last = messages.at(-1)?.role;
    const role = last === 'user' ? 'assistant' : 'user';
    this.#messages([...messages, { role, content: '', fields: '' }]);
    this.goToMessage(messages.length);
  }

  removeMessage(row: number): void {
    const before = this.setup?.messages ?? [];
    this.#messages(before.filter((_, at) => at !== row));
    const after = this.setup?.messages;
    this.#notices.say('plain', text.chat.messageRemoved(row + 1), {
      label: text.undo,
      run: () => this.#messages(before),
      isStale: () => this.setup?.messages !== after,
    });
  }

  moveMessage(from: number, to: number): void {
    const messages = [...(this.setup?.messages ?? [])];
    const [moved] = messages.splice(from, 1);
    if (!moved) return;
    messages.splice(to, 0, moved);
    this.#messages(messages);
  }

  /** Shows a row of the conversation and puts the focus there. */
  goToMessage(row: number): void {
    this.showPanel('conversation');
    this.focus = { row };
  }

  // The template.

  /** Goes on with another format. */
  useTemplate(template: ChatTemplate): void {
    this.change({ template });
  }

  /** The author typed in the template: what came from a file becomes the author's own. */
  editTemplate(words: string): void {
    if (!this.setup) return;
    const { template, text: before } = this.setup;
    this.change({ template: { kind: 'own' }, text: words });
    if (template.kind === 'own' || before === '' || before === this.model?.template) return;
    this.#notices.say('warn', text.chat.ownReplaced, {
      label: text.undo,
      run: () => this.change({ text: before }),
    });
  }

  /** Goes to a place of the template, where there is a template. */
  goToPlace(line: number, column: number): void {
    if (this.source === undefined) return;
    this.showPanel('template');
    this.reveal = { line, column, request: (this.reveal?.request ?? 0) + 1 };
  }

  /** Has the author choose a file or a folder, and uses what it brings. */
  async choose(slot: ChatSlot, folder: boolean): Promise<void> {
    try {
      const model = await this.#backend.chooseChatModel(this.document, slot, folder);
      if (!model) return;
      if (slot === 'model') {
        this.model = model;
        this.useTemplate({ kind: 'model' });
      } else {
        this.other = model;
        this.compareWith({ kind: 'other' });
      }
    } catch (error) {
      this.#notices.fail(error);
    }
  }

  /** The chosen model changed on disk, or can't be read any more. */
  modelChanged(slot: ChatSlot, model: ChatModel): void {
    this[slot] = model;
    this.follow();
  }

  compareWith(against: ChatTemplate): void {
    this.against = against;
    this.#compare.schedule();
  }

  /** Switches a polyfill. */
  polyfill(name: string, on: boolean): void {
    const off = (this.setup?.off ?? []).filter((each) => each !== name);
    this.change({ off: on ? off : [...off, name] });
  }

  async copy(form: ChatForm): Promise<void> {
    if (!this.setup) return;
    try {
      await this.#backend.copy(await this.#backend.copiedChat(this.document, this.setup, form));
      this.#notices.say('ok', text.chat.copied[form]);
    } catch (error) {
      this.#notices.fail(error);
    }
  }
}
