// Requests to the service that create a registry: blank, from a starter, or from an imported document.
import type { NewRegistryOptions, NewRegistry, SourceChange, SourceView } from './generated';

export interface NewRegistryBackend {
  /** The options for a new registry. */
  newRegistryOptions(): Promise<NewRegistryOptions>;
  /** Reads a document and converts it; writes nothing. The page passes the bytes on unread. */
  readSource(name: string, bytes: Uint8Array): Promise<SourceView>;
  /** Changes how the document is read or split; rejected if another one was read meanwhile. */
  changeSource(number: number, change: SourceChange): Promise<SourceView>;
  /** Asks for a folder of wildcards and reads the template with it; null when the author thought
      better of it. */
  chooseWildcards(number: number): Promise<SourceView | null>;
  /** Lets the service forget the document. */
  forgetSource(number: number): Promise<void>;
  /** Makes a new registry file and gives its name; open it then. No file is ever replaced. */
  newRegistry(content: NewRegistry, folder: string, name: string): Promise<string>;
}
