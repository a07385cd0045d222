// The connections to model servers: which there are, which is in use, what their servers offer.
// Nothing is asked of a server here unless a person asks for its list or tests it.
import type { ConnectionEntry, ServerKindEntry } from '../ipc';
import { text } from '../text';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';

/** What a server was asked for its models, and what it answered. */
export type ModelList =
  { state: 'asking' } | { state: 'here'; models: string[] } | { state: 'failed'; problem: string };

export class ConnectionsState {
  list = $state.raw<ConnectionEntry[]>([]);
  kinds = $state.raw<ServerKindEntry[]>([]);
  /** The connection that is edited; a new one has no name yet. Null while none is. */
  edited = $state.raw<ConnectionEntry | null>(null);
  /** The lists asked for so far, by connection. */
  models = $state.raw<ReadonlyMap<string, ModelList>>(new Map());

  readonly current = $derived.by(() => {
    const name = this.#studio.settings.current.connection;
    return this.list.find((each) => each.name === name) ?? null;
  });

  #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  async load(): Promise<void> {
    try {
      const { list, kinds } = await this.#studio.backend.connections();
      this.list = list;
      this.kinds = kinds;
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Chooses whom to ask; null is the mock. */
  choose(name: string | null): void {
    this.#studio.settings.change({ connection: name });
  }

  /** Opens the dialog with a connection, or with a new one. */
  async edit(connection: ConnectionEntry | null): Promise<void> {
    if (this.kinds.length === 0) await this.load();
    const kind = this.kinds[0];
    if (!kind) return;
    this.edited = connection ?? {
      name: '',
      kind: kind.name,
      base_url: kind.usual_base_url,
      model: '',
      template: '',
      keyed: false,
      variable: '',
      in_environment: false,
    };
  }

  /** Keeps a connection and chooses it. Rejects with the reason, which belongs into the dialog. */
  async keep(wanted: ConnectionEntry, before: string | null): Promise<ConnectionEntry> {
    const saved = await this.#studio.backend.keepConnection(wanted, before);
    if (before !== null) this.#forgetModels(before);
    this.#forgetModels(saved.name);
    await this.load();
    this.choose(saved.name);
    return saved;
  }

  async forget(name: string): Promise<void> {
    await this.#studio.backend.forgetConnection(name);
    this.#forgetModels(name);
    if (this.current?.name === name) this.choose(null);
    await this.load();
    this.#studio.notices.say('plain', text.connectionDeleted(name));
  }

  async setKey(name: string, key: string): Promise<ConnectionEntry> {
    const saved = await this.#studio.backend.setKey(name, key);
    await this.load();
    return saved;
  }

  async useModel(name: string, model: string): Promise<void> {
    try {
      const saved = await this.#studio.backend.useModel(name, model);
      this.list = this.list.map((each) => (each.name === name ? saved : each));
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  /** Asks a connection's server for its models, because a person wants the list. */
  async fetchModels(name: string): Promise<void> {
    this.#note(name, { state: 'asking' });
    try {
      this.#note(name, { state: 'here', models: await this.#studio.backend.models(name) });
    } catch (error) {
      this.#note(name, { state: 'failed', problem: failureText(error) });
    }
  }

  #note(name: string, list: ModelList): void {
    this.models = new Map(this.models).set(name, list);
  }

  #forgetModels(name: string): void {
    const rest = new Map(this.models);
    rest.delete(name);
    this.models = rest;
  }
}
