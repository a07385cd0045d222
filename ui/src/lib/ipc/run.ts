// What the page may ask about runs and the connections they are made through. Nothing of this
// sends anything to a server but `models`, `tryConnection` and `startRuns`.
import type {
  Change,
  ConnectionEntry,
  Connections,
  RunStarted,
  RunDetail,
  RunHistory,
  RunParams,
} from './generated';

export interface RunBackend {
  connections(): Promise<Connections>;
  /** Keeps a connection, in place of `before` when it is an edited one. */
  keepConnection(connection: ConnectionEntry, before: string | null): Promise<ConnectionEntry>;
  /** Forgets a connection and its key; runs made through it stay. */
  forgetConnection(name: string): Promise<void>;
  /** Puts a key into the system's keyring; an empty one takes it out. */
  setKey(name: string, key: string): Promise<ConnectionEntry>;
  /** Makes a model the one a connection asks for; empty for the registry's. */
  useModel(name: string, model: string): Promise<ConnectionEntry>;
  /** Asks a connection's server for its models. */
  models(name: string): Promise<string[]>;
  /** The same for a connection and a key that are not kept yet; writes nothing down. */
  tryConnection(
    connection: ConnectionEntry,
    before: string | null,
    key: string | null,
  ): Promise<string[]>;

  /** Starts runs; what happens to them are events, the first of which may come before the answer. */
  startRuns(document: string, params: RunParams): Promise<RunStarted>;
  stopRuns(batch: number): Promise<void>;
  /** A stretch of a document's history, newest first. */
  runs(document: string, offset: number, limit: number): Promise<RunHistory>;
  run(id: number): Promise<RunDetail>;
  /** Forgets a run for good. */
  forgetRun(id: number): Promise<void>;
  /** Brings a run's registry, state, route and seed back, as an edit that can be undone. */
  reopenRun(document: string, id: number): Promise<Change>;
}
