// The dialog that exports a prompt as a file of another program: which prompt, in which format, the
// file it makes and what that does not say.
import type { PromptFile, PromptFileFormat, PromptFileSource } from '../ipc';
import { text } from '../text';
import { failureText } from './notices.svelte';
import type { Studio } from './studio.svelte';

export const FORMATS: readonly PromptFileFormat[] = ['dotprompt', 'prompty'];

export class PromptFileState {
  /** What is exported while the dialog is open. */
  source = $state.raw<PromptFileSource | null>(null);
  format = $state<PromptFileFormat>('dotprompt');
  file = $state.raw<PromptFile | null>(null);
  /** Why there is no file. */
  problem = $state<string>();

  #studio: Studio;
  #requestNumber = 0;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Opens the dialog for the open deck, with the messages of the call document in use. */
  async show(): Promise<void> {
    const { deck, request } = this.#studio;
    if (!deck) return;
    await deck.settled();
    await request.call?.settled();
    const call = request.call?.document ?? null;
    await this.showFor({ kind: 'document', document: deck.document, call });
  }

  async showFor(source: PromptFileSource): Promise<void> {
    this.source = source;
    this.file = null;
    await this.#load();
  }

  close(): void {
    this.source = null;
  }

  async choose(format: PromptFileFormat): Promise<void> {
    this.format = format;
    await this.#load();
  }

  /** Makes the file of the chosen format; an outdated answer is dropped. */
  async #load(): Promise<void> {
    const { source, format } = this;
    if (!source) return;
    this.#requestNumber += 1;
    const number = this.#requestNumber;
    this.problem = undefined;
    try {
      const file = await this.#studio.backend.promptFile(source, format);
      if (number === this.#requestNumber) this.file = file;
    } catch (error) {
      if (number !== this.#requestNumber) return;
      this.file = null;
      this.problem = failureText(error);
    }
  }

  /** Writes the file where the author says; the dialog stays open if that is called off or fails. */
  async save(): Promise<void> {
    const { source, format } = this;
    const { backend, notices } = this.#studio;
    if (!source) return;
    try {
      const written = await backend.exportPromptFile(source, format);
      if (written === null) return;
      this.close();
      notices.say('ok', text.exportedTo(written.path, written.kept));
    } catch (error) {
      this.problem = failureText(error);
    }
  }

  async copy(): Promise<void> {
    if (!this.file) return;
    await this.#studio.copy(this.file.text, text.promptFile.copied(this.format));
  }
}
