// What the page may ask of the service about the Chat tab. A part of `Backend`.
import type {
  ChatForm,
  ChatInspection,
  ChatModel,
  ChatOpening,
  ChatReport,
  ChatSetup,
  ChatSlot,
  ChatTemplate,
  ChatTrial,
} from './generated';

export interface ChatBackend {
  /** What the tab is set to, what was chosen, and which formats are built in. */
  chat(document: string): Promise<ChatOpening>;
  /** Keeps what the tab is set to. */
  saveChat(document: string, setup: ChatSetup): Promise<void>;
  /** Asks for a file or folder and reads it; null when the author thought better of it. */
  chooseChatModel(document: string, slot: ChatSlot, folder: boolean): Promise<ChatModel | null>;
  /** Writes the prompt as it is now and the conversation down. Problems are in the report. */
  renderChat(document: string, setup: ChatSetup): Promise<ChatReport>;
  /** What the chosen format can do, each finding with its proof. */
  inspectChat(document: string, setup: ChatSetup): Promise<ChatInspection>;
  /** The chosen format against another, over the author's and the test conversations. */
  compareChat(document: string, setup: ChatSetup, other: ChatTemplate): Promise<ChatTrial[]>;
  /** The conversation in a form other programs take. */
  copiedChat(document: string, setup: ChatSetup, form: ChatForm): Promise<string>;
}
