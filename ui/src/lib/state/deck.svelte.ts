// An open registry with its state, route and seed, as the page holds it: a replica whose answers
// carry the preview.
import { untrack } from 'svelte';
import type {
  Alternatives,
  Backend,
  Change,
  Failure,
  OpenDocument,
  PromptEdit,
  PromptEditRequest,
  Slot,
  Status,
} from '../ipc';
import { at, type JsonObject } from '../document/edit';
import type { PreviewState } from './preview.svelte';
import { stableList } from '../util/stable-list';
import {
  assemblyOf,
  registryOf,
  sectionNames,
  sectionOf,
  stateOf,
  type Section,
} from '../document/registry';
import { Replica } from './replica.svelte';
import { sectionOfToken } from '../document/token';
import { isFailure } from './notices.svelte';
import { sentence } from '../text/sentence';

/** How the text of an edit in the prompt was pasted, and the words that it moves. */
export type PastedAs = Pick<PromptEditRequest, 'pasted' | 'written' | 'moved'>;

/** What a deck needs from the window around it. */
export interface DeckPorts {
  backend: Backend;
  preview: PreviewState;
  /** Called with the error of a call that was refused. */
  onError: (error: unknown) => void;
}

class SectionHolder {
  section = $state.raw<Section>();
}

export class DeckState extends Replica<Status, Change, OpenDocument> {
  readonly registry = $derived(registryOf(this.tree));
  /** What the session sets. */
  state = $state.raw<JsonObject>({});
  names = $state.raw<string[]>([]);
  readonly #known = $derived(new Set(this.names));
  /** The tokens in use, and where they are written. */
  tokens = $state.raw<string[]>([]);
  tokensPath = $state.raw<(string | number)[]>([]);
  readonly #sections = new Map<string, SectionHolder>();
  /** Called when keys of the registry come, go, move or are renamed. */
  onkeys: (before: string[], after: string[]) => void = () => undefined;
  #keys: string[] = [];
  readonly #stableKeys = stableList<string>();
  readonly #stableNames = stableList<string>();
  readonly #stableTokens = stableList<string>();
  readonly #stablePath = stableList<string | number>();

  #ports: DeckPorts;

  constructor(opened: OpenDocument, ports: DeckPorts) {
    super(opened, {
      apply: (group) => ports.backend.apply(opened.document, group),
      open: () => ports.backend.open(opened.document),
      onError: ports.onError,
    });
    this.#ports = ports;
    this.onTree();
    this.applyDocument(opened);
  }

  /**
   * Passes each part of a new tree to its signal. A keystroke changes one section of hundreds:
   * what is drawn from the others is not even asked whether it is out of date.
   */
  protected override onTree(): void {
    const registry = registryOf(this.tree);
    const assembly = assemblyOf(this.tree);
    this.state = stateOf(this.tree);
    const before = this.#keys;
    this.#keys = this.#stableKeys(Object.keys(registry));
    this.names = this.#stableNames(sectionNames(registry));
    if (this.#keys !== before) this.onkeys(before, this.#keys);
    this.tokens = this.#stableTokens(assembly.tokens);
    this.tokensPath = this.#stablePath(assembly.path);
    for (const name of this.names) {
      const holder = this.#sections.get(name);
      if (!holder) this.#sections.set(name, new SectionHolder());
    }
    for (const [name, holder] of this.#sections) holder.section = sectionOf(registry, name);
  }

  protected override applyAnswer(change: Change): boolean {
    return this.#ports.preview.applyPatch(change.preview);
  }

  protected override applyDocument(opened: OpenDocument): void {
    this.#ports.preview.applyPatch(opened.preview);
  }

  get route(): string | null {
    const route = at(this.tree, ['route']);
    return typeof route === 'string' ? route : null;
  }

  get seed(): number {
    const seed = at(this.tree, ['seed']);
    return typeof seed === 'number' ? seed : 0;
  }

  section(name: string): Section | undefined {
    // Whether there is one at all changes with the names.
    return this.#known.has(name) ? this.#sections.get(name)?.section : undefined;
  }

  /** The section a token leads to; that depends on which there are, not on what is in them. */
  sectionOfToken(token: string): string | undefined {
    return this.names.length > 0
      ? sectionOfToken(
          untrack(() => this.registry),
          token,
        )
      : undefined;
  }

  /** Makes an edit in the prompt. A refusal is returned, to be shown where the edit was made. */
  async editPrompt(
    edit: PromptEdit,
    label: string,
    pasted: PastedAs,
    taken: (change: Change) => void,
  ): Promise<Failure | undefined> {
    let refusal: Failure | undefined;
    await this.change(async () => {
      const order = { base: this.status.revision, edit, label, ...pasted };
      try {
        return await this.#ports.backend.editPrompt(this.document, order);
      } catch (error) {
        if (!isFailure(error) || !error.code.startsWith('prompt_')) throw error;
        refusal = error;
        return undefined;
      }
    }, taken);
    return refusal;
  }

  /** Renames a variable. A refusal is returned, to be shown at the name. */
  async renameVariable(section: string, index: number, name: string): Promise<string | undefined> {
    let refusal: string | undefined;
    await this.change(async () => {
      const { backend } = this.#ports;
      const { revision } = this.status;
      try {
        return await backend.renameVariable(this.document, revision, section, index, name);
      } catch (error) {
        if (!isFailure(error) || error.code !== 'variable_name') throw error;
        refusal = sentence(error.message);
        return undefined;
      }
    });
    return refusal;
  }

  /** The entries that a roll could have printed in place of a segment of the preview. */
  async alternatives(segment: number): Promise<Alternatives | null> {
    try {
      return await this.#ports.backend.alternatives(this.document, segment);
    } catch (error) {
      this.#ports.onError(error);
      return null;
    }
  }

  undo(): Promise<Change | undefined> {
    return this.takeBack(() => this.#ports.backend.undo(this.document));
  }

  redo(): Promise<Change | undefined> {
    return this.takeBack(() => this.#ports.backend.redo(this.document));
  }

  roll(): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.roll(this.document));
  }

  useLastSeed(): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.useLastSeed(this.document));
  }

  useSeed(seed: number): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.useSeed(this.document, seed));
  }

  lockSeed(locked: boolean): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.lockSeed(this.document, locked));
  }

  lock(slots: Slot[] | null): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.lock(this.document, slots));
  }
}
