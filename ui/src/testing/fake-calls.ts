// Call documents made of memory, for page tests and the dev entry: one document with a history, and
// a request that is given by hand. It assembles nothing.
import type {
  CallChange,
  CallStatus,
  Edit,
  JsonValue,
  MessagePart,
  RequestBackend,
  RequestView,
  Violation,
} from '$lib/ipc';
import { applyAll, at } from '$lib/document/edit';

/** What the fake knows of calls. */
export interface CallScene {
  document: string;
  /** The registry the document names, by file name. */
  registry: string;
  tree: JsonValue;
  /** The name of a new document, if one can be made. */
  made?: string;
  /** The rules a tree breaks. */
  violations?: (tree: JsonValue) => Violation[];
  /** The parts of its messages that are no text. */
  parts?: MessagePart[];
  /** The request, whatever is asked for. */
  request: Omit<RequestView, 'params' | 'violations'>;
}

export class FakeCalls {
  tree: JsonValue;
  /** What the file holds. */
  saved: JsonValue;
  #revision = 0;
  #past: JsonValue[] = [];
  #future: JsonValue[] = [];
  #scene: CallScene | undefined;

  constructor(scene: CallScene | undefined) {
    this.#scene = scene;
    this.tree = scene?.tree ?? {};
    this.saved = this.tree;
  }

  #status(): CallStatus {
    return {
      revision: this.#revision,
      modified: this.tree !== this.saved,
      undo: this.#past.length > 0 ? { text: 'Edit' } : null,
      redo: this.#future.length > 0 ? { text: 'Edit' } : null,
      violations: this.#scene?.violations?.(this.tree) ?? [],
      parts: this.#scene?.parts ?? [],
    };
  }

  #change(edits: Edit[]): CallChange {
    const base = this.#revision;
    this.#revision += 1;
    return { document: this.#scene?.document ?? '', base, edits, status: this.#status() };
  }

  #step(from: JsonValue[], to: JsonValue[]): CallChange {
    const tree = from.pop();
    if (tree === undefined) throw { code: 'nothing_to_do', message: 'There is nothing to undo.' };
    to.push(this.tree);
    this.tree = tree;
    const parts = Object.entries(tree as Record<string, JsonValue>);
    return this.#change(parts.map(([key, value]) => ({ kind: 'set', path: [key], value })));
  }

  /** The part of the interface that is about calls; `useCall` is the caller's. */
  get backend(): Omit<RequestBackend, 'useCall'> {
    const scene = this.#scene;
    return {
      calls: async () =>
        scene
          ? [
              {
                document: scene.document,
                title: 'A talk',
                registry: scene.registry,
                modified: this.tree !== this.saved,
                backup: false,
                problem: null,
              },
            ]
          : [],
      newCall: () =>
        scene?.made === undefined
          ? Promise.reject({ code: 'unsupported', message: 'The fake makes no files.' })
          : Promise.resolve(scene.made),
      readMessages: (source) => {
        const value = JSON.parse(source) as JsonValue;
        const messages = at(value, ['messages']) ?? value;
        const tools = at(value, ['tools']);
        if (!Array.isArray(messages) || messages.some((each) => !at(each, ['role']))) {
          const message = 'message 1: expected an object with a role';
          return Promise.reject({ code: 'wrong_type', message });
        }
        return Promise.resolve({
          messages,
          tools: Array.isArray(tools) ? tools : [],
          anthropic: at(value, ['system']) !== undefined,
          left_out: [],
        });
      },
      openCall: async (document) => ({
        document,
        tree: this.tree,
        status: this.#status(),
        draft: null,
        conflict: null,
      }),
      applyCall: async (_, group) => {
        this.#past.push(this.tree);
        this.#future = [];
        this.tree = applyAll(this.tree, group.edits);
        return this.#change([]);
      },
      undoCall: async () => this.#step(this.#past, this.#future),
      redoCall: async () => this.#step(this.#future, this.#past),
      saveCall: async () => {
        this.saved = this.tree;
        return { written: true, status: this.#status(), conflict: null, kept: null };
      },
      resolveCall: async () => this.#change([]),
      request: async (_, params) => {
        if (!scene) throw { code: 'unsupported', message: 'The fake has no request.' };
        return {
          ...scene.request,
          text: params.target === 'chat_template' ? '<s>Say "hi"\nnow' : null,
          params,
          violations: this.#status().violations,
        };
      },
    };
  }
}
