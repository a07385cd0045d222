// What the page may ask of the service to bring registries of other programs in.
import type { Imported } from './generated';

export interface ImportBackend {
  /**
   * Makes a registry file of a text that was chosen, pasted or dropped, whatever release of
   * promptlibretto wrote it, and tells what had to be changed. Rejected with the place of the fault.
   */
  importRegistry(name: string, text: string): Promise<Imported>;
}
