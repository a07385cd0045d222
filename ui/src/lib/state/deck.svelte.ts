// An open registry with its state, route and seed, as the page holds it: a replica whose answers
// carry the preview.
import type { Backend, Change, OpenDocument, Slot, Status } from '../ipc';
import { at } from './edit';
import type { PreviewState } from './preview.svelte';
import { registryOf, sectionNames, sectionOf, type Section } from './registry';
import { Replica } from './replica.svelte';

/** What a deck needs from the window around it. */
export interface DeckPorts {
  backend: Backend;
  preview: PreviewState;
  /** Called with whatever a call was refused with. */
  refused: (error: unknown) => void;
}

export class DeckState extends Replica<Status, Change, OpenDocument> {
  readonly registry = $derived(registryOf(this.tree));
  readonly names = $derived(sectionNames(this.registry));

  #ports: DeckPorts;

  constructor(opened: OpenDocument, ports: DeckPorts) {
    super(opened, {
      apply: (group) => ports.backend.apply(opened.document, group),
      open: () => ports.backend.open(opened.document),
      refused: ports.refused,
    });
    this.#ports = ports;
    this.takeOpened(opened);
  }

  protected override take(change: Change): boolean {
    return this.#ports.preview.take(change.preview);
  }

  protected override takeOpened(opened: OpenDocument): void {
    this.#ports.preview.take(opened.preview);
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
    return sectionOf(this.registry, name);
  }

  undo(): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.undo(this.document));
  }

  redo(): Promise<Change | undefined> {
    return this.change(() => this.#ports.backend.redo(this.document));
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
