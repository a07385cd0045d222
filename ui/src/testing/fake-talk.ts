// A conversation in memory, for page tests and the dev entry. Nothing is sent anywhere: the test emits
// the answers.
import type {
  Event,
  RequestView,
  RunCall,
  TalkBackend,
  TalkMessage,
  TalkTurn,
  TalkView,
} from '$lib/ipc';

/** A turn of the author, with these fields replaced. */
export const turn = (
  id: number,
  parent: number | null,
  more: Partial<TalkTurn> = {},
): TalkTurn => ({
  id,
  parent,
  run: null,
  at: 0,
  role: 'user',
  content: 'Hello',
  calls: [],
  answers: null,
  state: 'complete',
  model: '',
  accepted: null,
  reason: null,
  changes: [],
  thinking: null,
  tokens: null,
  total_ms: null,
  attempts: 0,
  fault: null,
  ...more,
});

/** An accepted answer. */
export const answer = (
  id: number,
  parent: number | null,
  content: string,
  more: Partial<TalkTurn> = {},
): TalkTurn =>
  turn(id, parent, {
    role: 'assistant',
    content,
    run: id,
    model: 'tiny',
    accepted: true,
    tokens: 4,
    total_ms: 1200,
    attempts: 1,
    ...more,
  });

/** Two answers to the same question. */
export const rolled = () => [
  turn(1, null, { content: 'Who is there?' }),
  answer(2, 1, 'Good day.'),
  answer(3, 1, 'Good evening.', { accepted: false, reason: 'too short' }),
];

/** A request with nothing in it but a body. */
const request: RequestView = {
  params: { call: null, target: 'openai', family: null },
  model: 'tiny',
  body: '{\n  "messages": []\n}',
  text: null,
  blocks: [],
  characters: 20,
  tokens: 8,
  tokenizer: 'o200k_base',
  exact: true,
  cache: null,
  plan: null,
  messages: 1,
  violations: [],
  trace: [],
  volatile: [],
  problem: null,
  diagnostics: [],
};

export class FakeTalk {
  turns: TalkTurn[];
  view: TalkView;
  batch = 100;
  /** The folder that is open. */
  folder = () => '';
  #document: string;
  #emit: (event: Event) => void;

  constructor(document: string, emit: (event: Event) => void, turns: TalkTurn[] = []) {
    this.#document = document;
    this.#emit = emit;
    this.turns = turns;
    this.view = {
      request,
      problem: null,
      targets: ['gemini', 'openai', 'chat_template'],
      before: [],
      is_earlier: false,
      tools: [],
      verdicts: [],
      rounds: 0,
      most_rounds: 8,
    };
  }

  /** Adds or replaces a turn and tells of it. */
  emit(turn: TalkTurn): void {
    this.turns = [...this.turns.filter(({ id }) => id !== turn.id), turn];
    const folder = this.folder();
    this.#emit({ kind: 'talk', folder, document: this.#document, call: null, turn });
  }

  /** Tells of a piece of the answer of a run. */
  delta(run: number, text: string): void {
    const step = { step: 'delta' as const, id: run, text };
    this.#emit({ kind: 'run', document: this.#document, batch: this.batch, step });
  }

  /** Tells of the tool calls of an answer, as far as they have arrived. */
  toolCalls(run: number, calls: RunCall[]): void {
    const step = { step: 'calls' as const, id: run, calls };
    this.#emit({ kind: 'run', document: this.#document, batch: this.batch, step });
  }

  /** Tells that a run is tried again after a pause. */
  retry(run: number, pause: number): void {
    const error = { code: 'server', message: 'the server failed' };
    const step = { step: 'retrying' as const, id: run, error, number: 2, most: 3, pause_ms: pause };
    this.#emit({ kind: 'run', document: this.#document, batch: this.batch, step });
  }

  /** Ends the batch that was started last. */
  over(): void {
    const step = { step: 'over' as const, done: 1, problem: null };
    this.#emit({ kind: 'run', document: this.#document, batch: this.batch, step });
  }

  #add(parent: number | null, { role, content, answers }: TalkMessage): TalkTurn {
    const id = Math.max(0, ...this.turns.map((turn) => turn.id)) + 1;
    const added = turn(id, parent, { role, content, answers });
    this.turns = [...this.turns, added];
    return added;
  }

  readonly calls: Omit<TalkBackend, 'keepCall'> = {
    talk: async () => ({ turns: this.turns, damaged: 0 }),
    talkRequest: async () => this.view,
    sendTurns: async (_, params, messages, ask) => {
      const turns: TalkTurn[] = [];
      for (const message of messages) {
        turns.push(this.#add(turns.at(-1)?.id ?? params.leaf, message));
      }
      if (ask) this.batch += 1;
      return { batch: ask ? this.batch : null, turns };
    },
    compareTurns: async () => [
      { kind: 'same', text: 'Good ' },
      { kind: 'removed', text: 'day' },
      { kind: 'added', text: 'evening' },
    ],
  };
}
