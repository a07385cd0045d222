// What the page may ask about conversations. Only `sendTurns` with `ask` sends anything to a server.
import type {
  CallChange,
  Part,
  Talk,
  TalkMessage,
  TalkParams,
  TalkStarted,
  TalkView,
} from './generated';

export interface TalkBackend {
  /** The tree of turns of a registry with one call document, or without any. */
  talk(document: string, call: string | null): Promise<Talk>;
  /** The request of a branch with messages after it. */
  talkRequest(document: string, params: TalkParams, messages: TalkMessage[]): Promise<TalkView>;
  /** Adds messages to a branch and requests an answer if `ask` is set; its progress is events. */
  sendTurns(
    document: string,
    params: TalkParams,
    messages: TalkMessage[],
    ask: boolean,
  ): Promise<TalkStarted>;
  /** Writes a branch into its call document; the edits to make are in the answer. */
  keepCall(document: string, params: TalkParams, call: string): Promise<CallChange>;
  /** The difference between the texts of two turns. */
  compareTurns(left: number, right: number): Promise<Part[]>;
}
