// What the page may ask about call documents and the requests made of them. Part of the one typed
// interface in backend.ts.
import type {
  EditGroup,
  CallChange,
  CallEntry,
  CallSaved,
  Change,
  Choice,
  OpenCall,
  PastedMessages,
  RequestParams,
  RequestView,
} from './generated';

export interface RequestBackend {
  /** The call documents of the folder. */
  calls(): Promise<CallEntry[]>;
  /** Makes a call document about a registry and gives its name; open it then. Without a name it is
      called as the registry. */
  newCall(registry: string, name: string | null): Promise<string>;
  /** The messages and tools of a text in the JSON of OpenAI or Anthropic. */
  readMessages(text: string): Promise<PastedMessages>;
  /** Opens a call document, with its draft when there is one; opening an open one returns it again. */
  openCall(document: string): Promise<OpenCall>;
  /** Applies edits the page has made to its replica of a call document. */
  applyCall(document: string, group: EditGroup): Promise<CallChange>;
  undoCall(document: string): Promise<CallChange>;
  redoCall(document: string): Promise<CallChange>;
  /** Writes a call document; answers with a conflict instead when the file has changed. */
  saveCall(document: string): Promise<CallSaved>;
  /** Ends the conflict of a call document: a side for each part that differs. */
  resolveCall(document: string, choices: Record<string, Choice>): Promise<CallChange>;
  /** Renders the prompt of a registry that asks for it with the arguments of this call, or of none. */
  useCall(document: string, call: string | null): Promise<Change>;
  /** The request a registry makes with a call document, compared with the one before it. */
  request(document: string, params: RequestParams): Promise<RequestView>;
}
