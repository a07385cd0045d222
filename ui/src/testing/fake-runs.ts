// Runs and connections made of memory, for page tests and the dev entry. Nothing is sent anywhere:
// the test emits each step of a run.
import type {
  ConnectionEntry,
  Event,
  RunAttempt,
  RunBackend,
  RunDetail,
  RunStep,
  RunSummary,
} from '$lib/ipc';

/** An accepted run, with these fields replaced. */
export const summary = (id: number, more: Partial<RunSummary> = {}): RunSummary => ({
  id,
  target: 'local: ollama http://localhost:11434 tiny',
  model: 'tiny',
  route: null,
  seed: 7,
  glance: { text: '', detail: '' },
  started_at: 0,
  status: 'accepted',
  text: 'Good evening.',
  reason: null,
  fault: null,
  tokens: 4,
  attempts: 1,
  total_ms: 1200,
  ...more,
});

/** An attempt accepted unchanged, with these fields replaced. */
export const attempt = (words: string, more: Partial<RunAttempt> = {}): RunAttempt => ({
  changes: [{ kind: 'same', text: words }],
  extracted: null,
  accepted: true,
  reason: null,
  prompt_tokens: 20,
  completion_tokens: 4,
  cached_tokens: null,
  total_ms: 1200,
  first_delta_ms: 310,
  tokens_per_second: 42,
  finish: 'stop',
  overcome: [],
  ...more,
});

/** What a fake starts with. */
export interface FakeRunsScene {
  connections?: ConnectionEntry[];
  runs?: RunDetail[];
  /** Called when runs are started, to tell what happens to them. */
  started?: (runs: FakeRuns) => void;
}

export class FakeRuns {
  connections: ConnectionEntry[];
  runs: RunDetail[];
  batch = 0;
  #emit: (event: Event) => void;
  #document: string;
  #started: ((runs: FakeRuns) => void) | undefined;

  constructor(document: string, emit: (event: Event) => void, scene: FakeRunsScene = {}) {
    this.#document = document;
    this.#emit = emit;
    this.connections = scene.connections ?? [];
    this.runs = scene.runs ?? [];
    this.#started = scene.started;
  }

  /** Emits a step of the batch that was started last. */
  emit(step: RunStep): void {
    this.#emit({ kind: 'run', document: this.#document, batch: this.batch, step });
  }

  #kept(name: string): ConnectionEntry {
    const found = this.connections.find((each) => each.name === name);
    if (!found) throw { code: 'bad_connection', message: `There is no connection ${name}.` };
    return found;
  }

  #change(name: string, part: Partial<ConnectionEntry>): ConnectionEntry {
    const changed = { ...this.#kept(name), ...part };
    this.connections = this.connections.map((each) => (each.name === name ? changed : each));
    return changed;
  }

  /** All calls but the one that changes the document. */
  readonly calls: Omit<RunBackend, 'reopenRun'> = {
    connections: async () => ({
      list: this.connections,
      kinds: [
        { name: 'ollama', usual_base_url: 'http://localhost:11434' },
        { name: 'completions', usual_base_url: 'http://localhost:8080' },
      ],
    }),
    keepConnection: async (connection, before) => {
      const variable = `PROMPTDECK_API_KEY_${connection.name.toUpperCase()}`;
      const stored = { ...connection, variable };
      this.connections = [...this.connections.filter(({ name }) => name !== before), stored];
      return stored;
    },
    forgetConnection: async (name) => {
      this.connections = this.connections.filter((each) => each.name !== name);
    },
    setKey: async (name, key) => this.#change(name, { keyed: key !== '' }),
    useModel: async (name, model) => this.#change(name, { model }),
    models: async () => ['tiny', 'llama3.1:8b', 'qwen3:4b'],
    tryConnection: async () => ['tiny'],
    startRuns: async () => {
      this.batch += 1;
      this.#started?.(this);
      return { batch: this.batch, attempts: 3 };
    },
    stopRuns: async () => this.emit({ step: 'over', done: 1, problem: null }),
    runs: async (_, offset, limit) => ({
      runs: this.runs.slice(offset, offset + limit).map(({ run }) => run),
      total: this.runs.length,
      damaged: 0,
    }),
    run: async (id) => {
      const found = this.runs.find(({ run }) => run.id === id);
      if (!found) throw { code: 'store_missing', message: `There is no run ${String(id)}.` };
      return found;
    },
    forgetRun: async (id) => {
      this.runs = this.runs.filter(({ run }) => run.id !== id);
    },
  };
}

/** Everything about a run whose attempts are these. */
export const detail = (run: RunSummary, attempts: RunAttempt[] = []): RunDetail => ({
  run,
  attempts,
  partial: '',
  partial_calls: [],
  overcome: [],
  prompt: 'Say good evening.',
  address: 'http://localhost:11434/api/chat',
  body: { model: run.model, messages: [{ role: 'user', content: 'Say good evening.' }] },
  evaluation: { seed: run.seed },
});
