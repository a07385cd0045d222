// A service made of memory, for page tests and the dev entry: it applies edits and keeps a history,
// and shows whatever preview it was given. It evaluates nothing and is no part of the built page.
import type {
  Backend,
  Change,
  ChatInspection,
  Comparison,
  Conflict,
  DraftNote,
  Edit,
  Event,
  Exported,
  EntrySplit,
  InsertionEffect,
  JsonValue,
  OpenDocument,
  PromptEditRequest,
  PreviewPatch,
  SnapshotChanges,
  SnapshotSummary,
  Status,
  TalkTurn,
  View,
  Workspace,
  VariantFactor,
} from '$lib/ipc';
import { applyAll, at } from '$lib/document/edit';
import { strings } from '$lib/document/registry';
import { FakeRuns, type FakeRunsScene } from './fake-runs';
import { FakeCalls, type CallScene } from './fake-calls';
import { FakeNewRegistry } from './fake-new-registry';
import { fakeChat } from './fake-chat';
import { FakeChecks, type ChecksScene } from './fake-checks';
import { FakeFiles } from './fake-files';
import { FakeImpacts } from './fake-impact';
import { FakeProfiles } from './fake-profile';
import { FakeTalk } from './fake-talk';

/** What a fake service starts with. */
export interface Scene {
  file: string;
  /** Other registries of the folder; each opens with the same tree. */
  others?: string[];
  tree: JsonValue;
  preview: (tree: JsonValue) => Omit<PreviewPatch, 'number' | 'base'>;
  events?: Event[];
  /** The edits that an edit in the prompt makes, and the caret; throws a refusal. */
  editPrompt?: (
    request: PromptEditRequest,
    tree: JsonValue,
  ) => { edits: Edit[]; caret: number; caret_behind?: string; fewer_blank_lines?: boolean };
  snapshots?: SnapshotSummary[];
  snapshotChanges?: SnapshotChanges[];
  runs?: FakeRunsScene;
  call?: CallScene;
  /** What an inspection of a chat format finds, where a test needs another one. */
  chatInspection?: Partial<ChatInspection>;
  checks?: ChecksScene;
  turns?: TalkTurn[];
}

interface Step {
  before: JsonValue;
  after: JsonValue;
  label: string;
}

const nothing = () =>
  Promise.reject({ code: 'unsupported', message: 'The fake has no such call.' });

/** A fake service; `calls` tells what was asked of it. */
export class FakeBackend {
  calls: { name: string; args: unknown[] }[] = [];
  tree: JsonValue;
  revision = 0;
  snapshots: SnapshotSummary[];
  deletedSnapshots: SnapshotSummary[] = [];
  /** Views that were saved, by file; by path outside the first folder. */
  readonly views = new Map<string, View>();
  readonly runs: FakeRuns;
  readonly talk: FakeCalls;
  readonly files: FakeFiles;
  readonly turns: FakeTalk;
  readonly impacts = new FakeImpacts();
  readonly checks: FakeChecks;
  readonly profiles = new FakeProfiles();
  /** Rejects the next call of a name with this. */
  failing = new Map<string, unknown>();
  /** What a call waits for, by its name. */
  readonly held = new Map<string, Promise<void>>();
  /** The conflict that saving reports. */
  conflict: Conflict | null = null;
  /** The copy of a damaged file that saving reports. */
  kept: string | null = null;
  /** What a document that is opened brings from its draft. */
  draft: DraftNote | null = null;
  #past: Step[] = [];
  #future: Step[] = [];
  #number = 0;
  #onEvent: (event: Event) => void = () => undefined;
  #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.tree = scene.tree;
    this.snapshots = scene.snapshots ?? [];
    this.runs = new FakeRuns(scene.file, (event) => this.emit(event), scene.runs);
    this.talk = new FakeCalls(scene.call);
    this.checks = new FakeChecks(scene.file, scene.checks);
    this.files = new FakeFiles([scene.file, ...(scene.others ?? [])], () => ({
      workspace: this.#workspace(),
      first: { opened: this.#open(this.files.first), view: this.#view(this.files.first) },
      failure: null,
    }));
    this.turns = new FakeTalk(scene.file, (event) => this.emit(event), scene.turns);
    this.turns.folder = () => this.files.folder;
  }

  emit(event: Event): void {
    this.#onEvent(event);
  }

  get status(): Status {
    const undo = this.#past.at(-1);
    const redo = this.#future.at(-1);
    return {
      revision: this.revision,
      modified: this.#past.length > 0 || this.draft !== null,
      undo: undo ? { text: undo.label } : null,
      redo: redo ? { text: redo.label } : null,
      last_seed: null,
      seed_locked: false,
      call_settings: this.callSettings,
    };
  }

  #preview(): PreviewPatch {
    this.#number += 1;
    return { ...this.#scene.preview(this.tree), number: this.#number, base: null };
  }

  #change(edits: Edit[]): Change {
    const base = this.revision;
    this.revision += 1;
    return {
      document: this.#scene.file,
      base,
      edits,
      status: this.status,
      preview: this.#preview(),
    };
  }

  #step(from: Step[], to: Step[], side: 'before' | 'after'): Change {
    const step = from.pop();
    if (!step) throw { code: 'nothing_to_do', message: 'There is nothing to undo.' };
    to.push(step);
    this.tree = step[side];
    const parts = Object.entries(step[side] as Record<string, JsonValue>);
    return this.#change(parts.map(([key, value]) => ({ kind: 'set', path: [key], value })));
  }

  /** Tokens with brackets that can match an item. */
  lookUps: string[] = [];
  /** Where the entry of a new section belongs. */
  sectionIndex = 0;
  entrySplits: EntrySplit[] = [];
  factors: VariantFactor[] = [
    { sections: ['personas'], of: null, ways: ['2'] },
    { sections: ['notes'], of: 'items', ways: ['3', '2'] },
  ];
  /** What an entry that is tried would do, beside the entry and its place. */
  insertionEffect: Partial<InsertionEffect> = {};
  /** What a comparison finds otherwise than it would. */
  comparison: Partial<Comparison> = {};
  /** The settings that the call document in use has otherwise than the deck. */
  callSettings: string[] = [];
  /** Values that an export leaves out. */
  omitted: string[] = [];
  /** What a prompt file does not say. */
  promptFileOmissions: string[] = [];
  /** Where the author has a prompt file written; null when it is called off. */
  exported: Exported | null = null;
  readonly newRegistry = new FakeNewRegistry();
  /** The interface the page is given. Calls it does not know are refused. */
  get backend(): Backend {
    const known: Partial<Backend> = {
      ...this.runs.calls,
      reopenRun: async () => this.#change([]),
      ...fakeChat(this.#scene.chatInspection),
      ...this.files.calls,
      start: async (onEvent) => {
        this.#onEvent = onEvent;
        for (const event of this.#scene.events ?? []) setTimeout(() => onEvent(event));
        const first = { opened: this.#open(), view: this.#view() };
        return { workspace: this.#workspace(), first, failure: null };
      },
      started: () => Promise.resolve(),
      workspace: () => Promise.resolve(this.#workspace()),
      open: (file) => Promise.resolve(this.#open(file)),
      close: () => Promise.resolve(),
      view: (file) => Promise.resolve(this.#view(file)),
      saveView: async (file, view) => {
        this.views.set(this.#pathOf(file), view);
      },
      saveSettings: () => Promise.resolve(),
      apply: async (_, group) => {
        const before = this.tree;
        this.tree = applyAll(this.tree, group.edits);
        this.#past.push({ before, after: this.tree, label: group.label });
        this.#future = [];
        return this.#change([]);
      },
      editPrompt: async (_, request) => {
        if (!this.#scene.editPrompt) return nothing();
        const { edits, ...carets } = this.#scene.editPrompt(request, this.tree);
        const before = this.tree;
        this.tree = applyAll(this.tree, edits);
        this.#past.push({ before, after: this.tree, label: request.label });
        return { ...this.#change(edits), ...carets };
      },
      renameVariable: async (_, _base, section, index, name) => {
        const names = ['registry', section, 'template_vars'];
        if (strings(at(this.tree, names)).includes(name))
          return Promise.reject({ code: 'variable_name', message: `the name ${name} is taken` });
        const path = [...names, index];
        const edits: Edit[] = [{ kind: 'set', path, value: name }];
        const before = this.tree;
        this.tree = applyAll(this.tree, edits);
        this.#past.push({ before, after: this.tree, label: `Rename variable to ${name}` });
        return this.#change(edits);
      },
      undo: async () => this.#step(this.#past, this.#future, 'before'),
      redo: async () => this.#step(this.#future, this.#past, 'after'),
      roll: async () => this.#change([{ kind: 'set', path: ['seed'], value: this.revision + 7 }]),
      useSeed: async (_, seed) => this.#change([{ kind: 'set', path: ['seed'], value: seed }]),
      // Items only: what was rolled for a list or a slider is the service's to say.
      lock: async (_, slots) => {
        const edits = (slots ?? [])
          .filter(({ kind }) => kind === 'item')
          .map(({ section }): Edit => {
            const path = ['state', 'section_random', section];
            return { kind: 'set', path, value: false };
          });
        this.tree = applyAll(this.tree, edits);
        return this.#change(edits);
      },
      lockSeed: async (_, locked) => {
        const change = this.#change([]);
        return { ...change, status: { ...change.status, seed_locked: locked } };
      },
      save: async () => ({
        written: this.conflict === null,
        status: this.status,
        conflict: this.conflict,
        kept: this.kept,
      }),
      resolve: async () => {
        this.conflict = null;
        return this.#change([]);
      },
      copy: () => Promise.resolve(),
      ...this.newRegistry.calls,
      modelJson: async () => ({
        text: `${JSON.stringify(this.tree, null, 2)}\n`,
        omitted: this.omitted,
        against_file: [],
      }),
      promptFile: async (_, format) => ({
        text: `A ${format} file`,
        omissions: this.promptFileOmissions,
      }),
      exportPromptFile: () => Promise.resolve(this.exported),
      snapshots: async (query) => {
        const words = (query.text ?? '').toLowerCase();
        const all = query.deleted ? this.deletedSnapshots : this.snapshots;
        const found = all.filter(({ name }) => name.toLowerCase().includes(words));
        return {
          snapshots: found,
          changes: query.changes ? (this.#scene.snapshotChanges ?? []) : [],
          total: found.length,
          damaged: 0,
        };
      },
      takeSnapshot: async (file, name) => {
        const taken: SnapshotSummary = {
          id: this.snapshots.length + 100,
          name: name ?? 'Taken now',
          note: '',
          file,
          taken_at: 0,
          kind: 'manual',
          pinned: null,
          route: null,
          seed: 1,
          target: null,
          glance: '',
        };
        this.snapshots = [taken, ...this.snapshots];
        return taken;
      },
      deleteSnapshot: async (id) => {
        const gone = this.snapshots.find((each) => each.id === id);
        if (gone) this.deletedSnapshots = [{ ...gone, deleted_at: 1 }, ...this.deletedSnapshots];
        this.snapshots = this.snapshots.filter((each) => each.id !== id);
      },
      undeleteSnapshot: async (id) => {
        const deleted = this.deletedSnapshots.find((each) => each.id === id);
        if (!deleted) throw { code: 'no_snapshot', message: 'There is no such snapshot.' };
        const back = { ...deleted };
        delete back.deleted_at;
        this.deletedSnapshots = this.deletedSnapshots.filter((each) => each.id !== id);
        this.snapshots = [back, ...this.snapshots];
        return back;
      },
      switchSnapshot: async (_, id) => this.#change([{ kind: 'set', path: ['seed'], value: id }]),
      compare: async () => ({
        left: { name: 'Snapshot', characters: 10, tokens: 3, problem: null },
        right: { name: 'Now', characters: 12, tokens: 4, problem: null },
        settings: [
          {
            section: 'guides',
            name: 'item',
            left: 'calm',
            left_rolled: false,
            left_detail: 'calm',
            right: 'brisk',
            right_rolled: true,
            right_detail: 'brisk',
          },
          {
            section: 'guides',
            name: 'tips',
            left: 'all',
            left_rolled: false,
            left_detail: 'all',
            right: 'Go.',
            right_rolled: true,
            right_detail: '0: Go.',
          },
        ],
        compared: 3,
        edited: [],
        prompt: [
          { kind: 'same', text: 'One ', section: 'guides' },
          { kind: 'removed', text: 'old', section: 'guides' },
          { kind: 'added', text: 'new', section: 'guides' },
        ],
        added: 1,
        removed: 1,
        ...this.comparison,
      }),
      tryPolicy: async (_, text) => ({
        text: text.trim(),
        accepted: !text.includes('as an AI'),
        reason: text.includes('as an AI') ? 'it matches a forbidden pattern' : null,
      }),
      tryInsertion: async (_, entry, index) => ({
        entry,
        index,
        preview: this.#number,
        before: 0,
        after: null,
        lines: 3,
        tokens: 17,
        exact: true,
        ...this.insertionEffect,
      }),
      sectionIndex: async () => this.sectionIndex,
      entrySplits: async () => this.entrySplits,
      lookUps: async (_, typed) => this.lookUps.filter((token) => token.startsWith(typed)),
      variantCount: async () => ({
        ordered: '24',
        unordered: '12',
        exact: true,
        factors: this.factors,
      }),
      rollVariants: async (_, seed, count) =>
        Array.from({ length: count }, (_each, index) => ({
          seed: seed + index,
          text: `Variant ${index}`,
          picks: [
            {
              section: 'personas',
              of: null,
              value: { text: `pick ${index}`, detail: `pick ${index}` },
            },
            {
              section: 'personas',
              of: 'tips',
              value: { text: `Tip ${index}.`, detail: `${index}: Tip ${index}.` },
            },
          ],
          tokens: 40 + index,
        })),
      ...this.profiles.backend,
      ...this.impacts.backend((edits) => this.#change(edits)),
      ...this.talk.backend,
      ...this.checks.backend,
      openCheckRoll: async (_, _index, seed) =>
        this.#change([{ kind: 'set', path: ['seed'], value: seed }]),
      ...this.turns.calls,
      useCall: async () => ({
        document: this.#scene.file,
        base: this.revision,
        edits: [],
        status: this.status,
        preview: this.#preview(),
      }),
    };
    return new Proxy(known as Backend, {
      get: (target, name: keyof Backend) => {
        const call = target[name] as ((...args: unknown[]) => unknown) | undefined;
        return (...args: unknown[]) => {
          this.calls.push({ name, args });
          const failure = this.failing.get(name);
          if (failure !== undefined) {
            this.failing.delete(name);
            return Promise.reject(failure);
          }
          const gate = this.held.get(name);
          return gate ? gate.then(() => (call ?? nothing)(...args)) : (call ?? nothing)(...args);
        };
      },
    });
  }

  #open(file = this.#scene.file): OpenDocument {
    return {
      document: file,
      tree: this.tree,
      status: this.status,
      preview: this.#preview(),
      draft: this.draft,
      conflict: this.conflict,
    };
  }

  #pathOf(file: string): string {
    const { folder } = this.files;
    return folder === '/registries' ? file : `${folder}/${file}`;
  }

  #view(file = this.#scene.file): View {
    const storedView = this.views.get(this.#pathOf(file));
    return (
      storedView ?? {
        collapsed: [],
        order: [],
        tab: null,
        call: null,
        scroll: 0,
        seed_locked: false,
        last_seed: null,
        locks: [],
        notes: {},
        unsent: {},
        branches: {},
        target: null,
        family: null,
      }
    );
  }

  #workspace(): Workspace {
    return {
      folder: this.files.folder,
      name: 'registries',
      registries: this.files.entries,
      folders: this.files.folders,
      cut: false,
      first: this.files.first,
      settings: {
        theme: 'system',
        columns: null,
        wrap: true,
        autosave: false,
        spell_check: true,
        zoom: 100,
        differences_only: null,
        evaluation_open: true,
        tints: {},
        connection: null,
      },
      store: { status: 'healthy', message: null, checked_at: 0, path: '/store' },
      problem: null,
    };
  }
}
