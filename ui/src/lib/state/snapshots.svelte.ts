// The snapshots of the open registry: a list loaded a stretch at a time, and what can be done with
// one. All failures are reported; a deletion can be undone.
import { SvelteSet } from 'svelte/reactivity';
import type { Comparison, JsonValue, SnapshotChanges, SnapshotSummary } from '../ipc';
import { isSame } from '../document/edit';
import { text } from '../text';
import type { Studio } from './studio.svelte';

const STRETCH = 200;

export class SnapshotsState {
  list = $state.raw<SnapshotSummary[]>([]);
  /** What changed in each from the one before it, by id, while the list is open. */
  changes = $state.raw<ReadonlyMap<number, SnapshotChanges>>(new Map());
  total = $state(0);
  /** How many this registry has, whatever is being looked for. */
  all = $state(0);
  /** How many could not be read; they are kept aside, never shown. */
  damaged = $state(0);
  query = $state('');
  selectedId = $state<number | null>(null);
  open = $state(false);
  /** The deleted ones that can be restored, the last deleted first; the newest of `deletedTotal`. */
  deleted = $state.raw<SnapshotSummary[]>([]);
  deletedTotal = $state(0);
  /** Whether they are in sight. */
  deletedOpen = $state(false);
  comparison = $state.raw<Comparison | null>(null);
  /** The snapshot the document was last taken as or switched to. */
  current = $state.raw<SnapshotSummary | null>(null);

  /** The sides of the Compare tab: the number of a snapshot, or `now`. */
  compareLeft = $state<string | null>(null);
  compareRight = $state('now');

  /** What the document was when it was taken as that snapshot, or switched to it. */
  #tree = $state.raw<JsonValue>();
  /** Whether the document differs from that snapshot by now. */
  get changed(): boolean {
    return this.current !== null && !isSame(this.#studio.deck?.tree, this.#tree);
  }

  readonly selected = $derived(
    this.list.find((snapshot) => snapshot.id === this.selectedId) ?? null,
  );
  readonly pinned = $derived(this.list.filter((snapshot) => snapshot.pinned !== null));
  readonly recent = $derived(this.list.filter((snapshot) => snapshot.pinned === null));

  /** The snapshot whose name and note are edited. */
  edited = $state<number | null>(null);

  /** The snapshots deleted since the list was opened or one was switched to, the last one at the end. */
  #undoable: SnapshotSummary[] = [];
  /** The ids of those that were deleted here and not restored since. */
  readonly #deletedIds = new SvelteSet<number>();
  /** The registry whose snapshots are listed. */
  #listed: string | undefined;
  #studio: Studio;
  #latest = 0;
  #compared = 0;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  async reload(): Promise<void> {
    await Promise.all([this.#load(0), this.#loadDeleted()]);
  }

  async more(): Promise<void> {
    if (this.list.length < this.total) await this.#load(this.list.length);
  }

  async find(words: string): Promise<void> {
    this.query = words;
    await this.#load(0);
  }

  /** Lists what can be restored, while the panel shows it. */
  async #loadDeleted(): Promise<void> {
    const deck = this.#studio.deck;
    if (!deck || !this.open) return;
    const page = await this.#try(() =>
      this.#studio.backend.snapshots({
        file: deck.document,
        deleted: true,
        offset: 0,
        limit: STRETCH,
        changes: false,
      }),
    );
    if (!page || deck !== this.#studio.deck) return;
    this.deleted = page.snapshots;
    this.deletedTotal = page.total;
  }

  async #load(offset: number): Promise<void> {
    const deck = this.#studio.deck;
    if (!deck) return;
    this.#latest += 1;
    const number = this.#latest;
    try {
      const page = await this.#studio.backend.snapshots({
        file: deck.document,
        text: this.query,
        offset,
        limit: STRETCH,
        changes: this.open,
      });
      if (number !== this.#latest) return;
      if (this.#listed !== deck.document) this.#undoable = [];
      this.#listed = deck.document;
      this.list = offset === 0 ? page.snapshots : [...this.list, ...page.snapshots];
      const changes = page.changes.map((each) => [each.id, each] as const);
      this.changes = new Map(offset === 0 ? changes : [...this.changes, ...changes]);
      this.total = page.total;
      this.damaged = page.damaged;
      if (this.query === '') this.all = page.total;
      if (this.current) {
        const id = this.current.id;
        this.current = this.list.find((snapshot) => snapshot.id === id) ?? null;
      }
      if (this.open && !this.selected) this.select(this.list[0]?.id ?? null);
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  show(): void {
    this.open = true;
    this.edited = null;
    this.#undoable = [];
    this.deleted = [];
    this.deletedTotal = 0;
    this.deletedOpen = false;
    this.selectedId ??= this.current?.id ?? this.list[0]?.id ?? null;
    void this.reload();
  }

  /** Opens the panel at the deleted ones. */
  showDeleted(): void {
    this.show();
    this.deletedOpen = true;
  }

  select(id: number | null): void {
    if (id !== this.selectedId) this.comparison = this.edited = null;
    this.selectedId = id;
  }

  /** Compares the selected snapshot with the document as it is once its edits have arrived. */
  async compare(): Promise<void> {
    const deck = this.#studio.deck;
    const id = this.selectedId;
    this.#compared += 1;
    const number = this.#compared;
    if (!deck || id === null) return;
    try {
      await deck.settled();
      const comparison = await this.#studio.backend.compare(
        deck.document,
        { kind: 'snapshot', id },
        { kind: 'now' },
        'words',
      );
      if (number === this.#compared && id === this.selectedId) this.comparison = comparison;
    } catch (error) {
      this.#studio.notices.fail(error);
    }
  }

  async take(name: string | null = null): Promise<void> {
    const deck = this.#studio.deck;
    if (!deck) return;
    await deck.settled();
    const taken = await this.#try(() => this.#studio.backend.takeSnapshot(deck.document, name));
    if (!taken) return;
    this.current = taken;
    this.#tree = deck.tree;
    this.#studio.notices.say('ok', text.snapshotTaken(taken.name));
    this.query = '';
    await this.reload();
    if (this.open) this.select(taken.id);
  }

  async switchTo(snapshot: SnapshotSummary): Promise<void> {
    const deck = this.#studio.deck;
    if (!deck) return;
    const change = await deck.change(() =>
      this.#studio.backend.switchSnapshot(deck.document, snapshot.id),
    );
    if (!change) return;
    this.current = snapshot;
    this.#tree = deck.tree;
    this.#undoable = [];
    this.#studio.notices.say('ok', text.switchedTo(snapshot.name), this.#studio.undoOffer(deck));
  }

  /** Switches to the snapshot pinned to a key. */
  async switchToKey(key: number): Promise<void> {
    // A key pressed before the list of this registry is there, or while only a part of it is listed.
    if (this.#listed !== this.#studio.deck?.document || this.query !== '') await this.find('');
    const snapshot = this.list.find((each) => each.pinned === key);
    if (snapshot) return this.switchTo(snapshot);
    this.#studio.notices.say('plain', text.noSnapshotOn(key), {
      label: text.snapshots,
      run: () => this.show(),
      isStale: () => this.open,
    });
  }

  async describe(snapshot: SnapshotSummary, name: string, note: string): Promise<void> {
    const wanted = name.trim() || snapshot.name;
    if (wanted === snapshot.name && note === snapshot.note) return;
    await this.#replace(() => this.#studio.backend.describeSnapshot(snapshot.id, wanted, note));
  }

  /** Pins to the first free key, or unpins. */
  async togglePin(snapshot: SnapshotSummary): Promise<void> {
    const used = new Set(this.pinned.map((each) => each.pinned));
    const free = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((key) => !used.has(key));
    if (snapshot.pinned === null && free === undefined) {
      this.#studio.notices.say('plain', text.noFreeKey);
      return;
    }
    const key = snapshot.pinned === null ? (free ?? null) : null;
    await this.#replace(() => this.#studio.backend.pinSnapshot(snapshot.id, key));
    await this.reload();
  }

  async duplicate(snapshot: SnapshotSummary): Promise<void> {
    const copy = await this.#try(() => this.#studio.backend.duplicateSnapshot(snapshot.id));
    if (!copy) return;
    await this.reload();
    this.select(copy.id);
  }

  async delete(snapshot: SnapshotSummary): Promise<void> {
    const at = this.list.findIndex((each) => each.id === snapshot.id);
    try {
      await this.#studio.backend.deleteSnapshot(snapshot.id);
    } catch (error) {
      this.#studio.notices.fail(error);
      return;
    }
    this.list = this.list.filter((each) => each.id !== snapshot.id);
    if (this.current?.id === snapshot.id) this.current = null;
    this.select(this.list[Math.min(at, this.list.length - 1)]?.id ?? null);
    this.#undoable.push(snapshot);
    this.#deletedIds.add(snapshot.id);
    this.#studio.notices.say(
      'plain',
      text.snapshotDeleted(snapshot.name),
      { label: text.undo, run: () => void this.undelete(snapshot) },
      () => !this.#deletedIds.has(snapshot.id),
    );
    await this.reload();
  }

  /** Brings back the last snapshot that was deleted here; returns whether there was one. */
  undo(): boolean {
    const last = this.#undoable.at(-1);
    if (last) void this.undelete(last);
    return last !== undefined;
  }

  async undelete(snapshot: SnapshotSummary): Promise<void> {
    this.#undoable = this.#undoable.filter(({ id }) => id !== snapshot.id);
    const back = await this.#try(() => this.#studio.backend.undeleteSnapshot(snapshot.id));
    if (!back) return;
    this.#deletedIds.delete(snapshot.id);
    await this.reload();
    this.select(back.id);
  }

  /** Restores a snapshot from the list of the deleted ones. */
  async restore(snapshot: SnapshotSummary): Promise<void> {
    await this.undelete(snapshot);
    if (this.list.some(({ id }) => id === snapshot.id)) {
      this.#studio.notices.say('ok', text.snapshotRestored(snapshot.name));
    }
  }

  async export(snapshot: SnapshotSummary): Promise<void> {
    const file = await this.#try(() => this.#studio.backend.exportSnapshot(snapshot.id));
    if (file) this.#studio.notices.say('ok', text.exportedTo(file.path, file.kept));
  }

  async #replace(run: () => Promise<SnapshotSummary>): Promise<void> {
    const next = await this.#try(run);
    if (!next) return;
    this.list = this.list.map((each) => (each.id === next.id ? next : each));
    if (this.current?.id === next.id) this.current = next;
  }

  async #try<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      this.#studio.notices.fail(error);
      return undefined;
    }
  }
}
