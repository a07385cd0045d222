// The window as a whole: the folder, the open document with its view, what the service tells
// unasked, and what is said to the author. The parts do their own work; this only connects them.
import { createContext, tick } from 'svelte';
import type {
  Backend,
  Event,
  OpenDocument,
  Slot,
  StartupState,
  StoreHealth,
  View,
  Workspace,
} from '../ipc';
import { formatTime, text } from '../text';
import { sentence } from '../text/sentence';
import { NewRegistryState } from './new-registry.svelte';
import { ChatState } from './chat.svelte';
import { ChecksState } from './checks.svelte';
import { DamagedTextState } from './damaged-text.svelte';
import { DeckState } from './deck.svelte';
import { FilesState } from './files.svelte';
import { FindSettings } from './find.svelte';
import { goTo } from '../window/goto';
import { InsertionState } from './insertion.svelte';
import { rollOf } from '../document/locks';
import { unreadProblems } from './unread-fields';
import { failureText, isFailure, Notices, type Offer } from './notices.svelte';
import type { Place } from '../document/place';
import { PreviewState } from './preview.svelte';
import { PromptFileState } from './prompt-file.svelte';
import { PromptEditing } from './prompt-editing.svelte';
import { RunState } from './run.svelte';
import { SavingState } from './saving.svelte';
import { RequestState } from './request.svelte';
import { SettingsState } from './settings.svelte';
import { SnapshotsState } from './snapshots.svelte';
import { TalkState } from './talk.svelte';
import { ViewState } from './view.svelte';

/** After how many milliseconds it is said that a registry is being opened. */
const SLOW_OPENING = 500;

export class Studio {
  readonly notices = new Notices();
  readonly preview = new PreviewState();
  readonly findSettings = new FindSettings();
  readonly promptEditing = new PromptEditing(this.preview, () => this.deck);
  readonly settings: SettingsState;
  readonly files: FilesState;
  readonly saving: SavingState;
  readonly snapshots: SnapshotsState;
  readonly damagedText: DamagedTextState;
  readonly promptFile: PromptFileState;
  readonly insertion: InsertionState;
  readonly newRegistry: NewRegistryState;
  readonly run: RunState;
  readonly request: RequestState;
  readonly checks: ChecksState;
  readonly talk: TalkState;
  readonly backend: Backend;

  workspace = $state.raw<Workspace | null>(null);
  /** Path of the folder that is open: documents are named by their place in it. */
  folder = '';
  deck = $state.raw<DeckState | null>(null);
  view = $state.raw<ViewState | null>(null);
  chat = $state.raw<ChatState | null>(null);
  store = $state.raw<StoreHealth | null>(null);
  /** Why there is nothing to work on. */
  problem = $state<string | null>(null);
  /** The registry or the folder that is being opened. */
  opens = $state<string | null>(null);
  paletteOpen = $state(false);
  helpOpen = $state(false);

  /** The request of the open tab: that of the conversation in Run, else that of the Request tab. */
  readonly shownRequest = $derived.by(() =>
    this.view?.tab === 'run' ? this.talk.view?.request : this.request.current,
  );
  /** The call document whose messages the Chat tab shows; null while it shows its example. */
  readonly chatCall = $derived.by(() =>
    this.chat?.setup?.conversation === 'call' ? this.request.call : null,
  );
  /** What is wrong with the open registry: what cannot be read yet, also in its call and its checks, then
      what lint found. */
  readonly problems = $derived.by(() => [...unreadProblems(this), ...this.preview.diagnostics]);
  /** The title of the open registry; empty when it has none. */
  readonly openTitle = $derived.by(() => {
    const title = this.deck?.registry.title;
    return typeof title === 'string' ? title : '';
  });

  /** Events of a document that arrive before the document itself. */
  readonly #early = new Map<Event['kind'], Event>();
  /** Documents this window has shown: their drafts come from here, not from an earlier start. */
  readonly #visited = new Set<string>();
  /** The order of the cards in each document before its sections moved, for undo. */
  readonly #arrangements = new Map<string, Map<string, string[]>>();
  #drawn = false;
  /** The file on its way to be shown, and when it is. */
  #opening: { file: string; done: Promise<void> } | undefined;

  constructor(backend: Backend) {
    this.backend = backend;
    const failed = (error: unknown) => this.notices.fail(error);
    this.settings = new SettingsState(backend, failed);
    this.files = new FilesState(this);
    this.saving = new SavingState(this);
    this.snapshots = new SnapshotsState(this);
    this.damagedText = new DamagedTextState(this);
    this.promptFile = new PromptFileState(this);
    this.insertion = new InsertionState(this);
    this.newRegistry = new NewRegistryState(this);
    this.run = new RunState(this);
    this.request = new RequestState(this);
    this.checks = new ChecksState(this);
    this.talk = new TalkState(this);
  }

  /** Opens the folder and the registry to begin with. */
  async start(): Promise<void> {
    try {
      const begun = await this.backend.start((event) => this.#onEvent(event));
      const { workspace, first } = begun;
      const failure = begun.failure ?? workspace.problem;
      this.workspace = workspace;
      this.folder = workspace.folder;
      this.store = workspace.store;
      this.settings.restore(workspace.settings);
      this.problem = failure && failureText(failure);
      if (first) this.#enter(first.opened, first.view);
    } catch (error) {
      this.problem = failureText(error);
    }
  }

  /** The window is drawn: what would have delayed that is loaded now. */
  started(): void {
    this.#drawn = true;
    if (this.deck) this.#loadBeside(this.deck);
    this.backend.started().catch((error: unknown) => this.notices.fail(error));
  }

  /** Loads what belongs to a document and its cards do not show. */
  #loadBeside({ document }: DeckState): void {
    void this.snapshots.reload();
    void this.request.enter(document);
  }

  /**
   * Leaves the open document, its draft kept, and opens another. One after the other, so that the
   * last one asked for is the one shown; one that is on its way already is not opened twice.
   */
  open(file: string): Promise<void> {
    this.files.lapse();
    if (this.#opening?.file === file) return this.#opening.done;
    const before = this.#opening?.done ?? Promise.resolve();
    const opening = { file, done: before.then(() => this.#open(file)) };
    this.#opening = opening;
    const isOver = () => this.opens !== file;
    const waiting = setTimeout(() => {
      this.notices.say('plain', text.opening(file), undefined, isOver);
    }, SLOW_OPENING);
    void opening.done.then(() => {
      clearTimeout(waiting);
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening.done;
  }

  async #open(file: string): Promise<void> {
    this.opens = file;
    try {
      await this.promptEditing.close();
      await this.deck?.settled();
      // Before the view of the next one is read: that may be the same registry.
      await this.view?.write();
      this.#early.clear();
      const [opened, savedView] = await Promise.all([
        this.backend.open(file),
        this.backend.view(file),
      ]);
      const left = this.deck;
      left?.close();
      // What was typed meanwhile is taken before the document is closed.
      await left?.settled();
      await this.chat?.write();
      await this.promptEditing.close();
      this.preview.clear();
      this.#enter(opened, savedView);
      this.problem = null;
      if (left && left.document !== file) await this.backend.close(left.document);
    } catch (error) {
      this.notices.fail(error);
      if (!this.deck) this.problem = failureText(error);
    } finally {
      this.opens = null;
    }
  }

  #enter(opened: OpenDocument, savedView: View): void {
    const isFirstVisit = !this.#visited.has(opened.document);
    this.#visited.add(opened.document);
    const onError = (error: unknown) => {
      const seedLocked = isFailure(error) && error.code === 'seed_locked';
      const isOver = () => this.deck !== deck || !deck.status.seed_locked;
      this.notices.fail(error, undefined, seedLocked ? isOver : undefined);
    };
    const deck: DeckState = new DeckState(opened, {
      backend: this.backend,
      preview: this.preview,
      onError,
    });
    this.settings.tint(deck.names);
    this.chat = new ChatState(opened.document, this);
    const arrangements = this.#arrangements.get(opened.document) ?? new Map<string, string[]>();
    this.#arrangements.set(opened.document, arrangements);
    const view = new ViewState(
      opened.document,
      savedView,
      deck.names,
      this.backend,
      onError,
      arrangements,
    );
    deck.onkeys = (before, after) => {
      this.settings.inherit(before, after);
      if (after.length > before.length) this.settings.tint(deck.names);
      view.follow(before, after);
    };
    deck.unread.remember(view.texts, '');
    if (this.deck?.document !== opened.document) this.notices.leaveDocument();
    this.view = view;
    this.saving.enter(opened);
    this.files.openDeletion = null;
    this.deck = deck;
    this.run.enter(opened.document);
    this.checks.leave();
    this.talk.leave();
    if (this.#drawn) this.#loadBeside(deck);
    for (const event of this.#early.values()) this.#onEvent(event);
    this.#early.clear();
    if (opened.draft && isFirstVisit) {
      const { saved_at, other_window } = opened.draft;
      const words = text.draftBack(formatTime(saved_at), other_window);
      this.saving.sayOfDraft(deck, opened.draft, words);
    }
  }

  async refreshWorkspace(): Promise<void> {
    try {
      this.workspace = await this.backend.workspace();
      // What changed the files changed what was worked on last.
      this.files.refreshPlaces();
    } catch (error) {
      this.notices.fail(error);
    }
  }

  /** Waits until all that was done to the open documents has reached the service. */
  async settled(): Promise<void> {
    await this.#opening?.done;
    await this.promptEditing.settled();
    await Promise.all(
      [this.deck, this.request.call, this.checks.file].map((document) => document?.settled()),
    );
    await this.view?.write();
    await this.chat?.write();
  }

  /** Goes on with the open document after its file got another name. */
  async follow(file: string): Promise<void> {
    const arrangements = this.#arrangements.get(this.deck?.document ?? '');
    if (arrangements) this.#arrangements.set(file, arrangements);
    this.view?.renamed(file);
    await this.open(file);
  }

  /** Leaves the open registry after its file was deleted. */
  leaveDeleted(): void {
    this.#clear();
  }

  /** Leaves the folder and opens another, with this registry or the one open there last. */
  async openFolder(folder: string, file: string | null): Promise<true> {
    await this.settled();
    const { deck: left, view } = this;
    // Documents are named by their place in the folder: what is typed from here on would go to the
    // file of the same name in the other folder.
    this.#clear();
    this.#early.clear();
    this.opens = folder;
    let begun: StartupState;
    try {
      await left?.settled();
      // With what its fields and panels left when they went.
      await tick();
      await view?.close();
      begun = await this.backend.openFolder(folder, file);
    } catch (error) {
      if (left) await this.open(left.document);
      throw error;
    } finally {
      this.opens = null;
    }
    this.#visited.clear();
    this.#arrangements.clear();
    const { workspace, first } = begun;
    const failure = begun.failure ?? workspace.problem;
    this.workspace = workspace;
    this.folder = workspace.folder;
    this.problem = failure && failureText(failure);
    if (first) this.#enter(first.opened, first.view);
    return true;
  }

  /** Shows no document. */
  #clear(): void {
    this.deck?.close();
    this.notices.leaveDocument();
    this.preview.clear();
    this.deck = null;
    this.view = null;
    this.chat = null;
    this.saving.enter();
    this.snapshots.open = false;
    this.run.enter(undefined);
    this.checks.leave();
    this.talk.leave();
    void this.request.enter('');
  }

  async duplicateRegistry(): Promise<void> {
    const deck = this.deck;
    if (!deck) return;
    await deck.settled();
    await this.#make(() => this.backend.duplicateRegistry(deck.document));
  }

  async #make(run: () => Promise<string>): Promise<void> {
    try {
      const file = await run();
      await this.refreshWorkspace();
      await this.open(file);
    } catch (error) {
      this.notices.fail(error);
    }
  }

  /** Offers to undo the change just made, for as long as it is the last one of the open document. */
  undoOffer(deck: DeckState): Offer {
    const { tree } = deck;
    const { redo } = deck.status;
    return {
      label: text.undo,
      run: () => void deck.undo(),
      isStale: () => this.deck !== deck || deck.tree !== tree,
      // What can be redone before the change is taken over goes with it.
      isDone: () => deck.status.redo !== null && deck.status.redo !== redo,
    };
  }

  /** Goes to a place of the deck. */
  goTo(place: Place): void {
    if (this.view) void goTo(this.view, place, false);
  }

  /** Freezes what was rolled, all of it or these slots, and says what can't be held. */
  async lock(slots: Slot[] | null): Promise<void> {
    const { deck, view } = this;
    if (!deck || !view) return;
    const rolls = (slots ?? this.preview.rolled).flatMap((slot) => {
      const section = deck.section(slot.section);
      return section ? [{ slot, roll: rollOf(slot, section, deck.state) }] : [];
    });
    // Noted before the answer: a button that was gone in between would drop the focus.
    view.lock(rolls);
    const change = await deck.lock(slots);
    const unlocked = change?.unlocked ?? [];
    if (unlocked.length > 0) view.forgetLocks(unlocked.map(({ slot }) => slot));
    for (const { reason } of unlocked) this.notices.say('warn', sentence(reason));
  }

  /** Copies the model JSON, or writes it to a file the author names. */
  async exportModel(to: 'clipboard' | 'file'): Promise<void> {
    const deck = this.deck;
    if (!deck) return;
    await deck.settled();
    try {
      const model = await this.backend.modelJson(deck.document);
      const { omitted } = model;
      const withOmissions = (done: string) =>
        omitted.length > 0 ? `${done} ${text.exportOmits(omitted)}` : done;
      if (to === 'clipboard') {
        await this.backend.copy(model.text);
        this.notices.say('ok', withOmissions(text.exportCopied), {
          label: text.exportModelFile,
          run: () => void this.exportModel('file'),
        });
      } else {
        const file = await this.backend.exportFile(deck.document);
        if (file === null) return;
        this.notices.say('ok', withOmissions(text.exportedTo(file.path, file.kept)));
      }
    } catch (error) {
      this.notices.fail(error);
    }
  }

  /** Copies the text of the preview, and says so if it is the template. */
  async copyPrompt(): Promise<void> {
    const { preview } = this;
    const announcement = preview.unrendered ? text.templateCopied : text.promptCopied;
    await this.copy(preview.text, announcement);
  }

  async copy(words: string, announcement: string): Promise<void> {
    try {
      await this.backend.copy(words);
      this.notices.say('ok', announcement);
    } catch (error) {
      this.notices.fail(error);
    }
  }

  #onEvent(event: Event): void {
    const deck = this.deck;
    this.request.onEvent(event);
    this.checks.onEvent(event);
    this.saving.onEvent(event);
    switch (event.kind) {
      case 'lint':
        if (event.document === deck?.document) this.preview.applyLint(event.diagnostics);
        else this.#early.set(event.kind, event);
        break;
      case 'counts':
        if (event.document === deck?.document) this.preview.applyCounts(event);
        else this.#early.set(event.kind, event);
        break;
      case 'reloaded':
        if (event.change.document !== deck?.document) break;
        deck.receive(event.change);
        this.notices.say('plain', text.reloaded(deck.document));
        break;
      case 'previewed':
        if (event.change.document === deck?.document) deck.receive(event.change);
        break;
      case 'chat_model':
        if (event.document === deck?.document) this.chat?.modelChanged(event.slot, event.model);
        break;
      case 'workspace_changed':
        void this.refreshWorkspace();
        void this.damagedText.look();
        break;
      case 'dragged':
        this.newRegistry.dragging = event.over;
        break;
      case 'registry_dropped':
        void this.open(event.file);
        break;
      case 'folder_dropped':
        void this.files.enterFolder(event.folder);
        break;
      case 'dropped':
        this.newRegistry.dropped(event.source, event.problem);
        break;
      case 'store':
        this.store = event.health;
        break;
      case 'store_waiting':
        this.notices.say('warn', event.message);
        break;
      case 'failed':
        this.notices.fail(event.problem);
        break;
      case 'run':
        this.run.onEvent(event);
        this.talk.onRun(event);
        break;
      case 'talk':
        this.talk.onTurn(event);
        break;
    }
  }
}

/** The studio, for every component of the window. */
export const [getStudio, setStudio] = createContext<Studio>();
