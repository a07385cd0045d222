// The panel of files: the registries of the folder as they are listed, what is done with them, and
// the folders to go to.
import type { Failure, Moved, Places, RegistryEntry, RegistrySize } from '../ipc';
import { text } from '../text';
import { JobQueue } from '../util/job-queue';
import { failureText, OFFERED_FOR } from './notices.svelte';
import type { Studio } from './studio.svelte';

export type FileOrder = 'changed' | 'name';

/** Rows drawn at once; the filter leads to the others. */
export const MOST_ROWS = 300;

/** How many files are counted by one call. */
const COUNTED_AT_ONCE = 20;

/** One row of the list. */
export type FileRow =
  | { kind: 'folder'; folder: string; count: number; open: boolean }
  | { kind: 'file'; entry: RegistryEntry; inside: boolean };

const byName = (a: RegistryEntry, b: RegistryEntry): number =>
  a.title.localeCompare(b.title) || a.file.localeCompare(b.file);
const byChange = (a: RegistryEntry, b: RegistryEntry): number =>
  (b.changed_at ?? 0) - (a.changed_at ?? 0) || byName(a, b);

/** What was done to a file, and how it is undone. */
export interface FileAction {
  kind: 'deleted' | 'renamed' | 'moved' | 'copied' | 'made';
  /** The registry's title before, or the sub-folder's name. */
  title: string;
  /** What it is now: its new title, the folder it was moved to, or its copy. */
  to: string;
  /** Undoes it and returns the row to go to: a file, or a sub-folder with a slash at its end. */
  undo: () => Promise<string>;
  /** The registry to open again after undoing, by the row that undoing returns; if it was open. */
  reopens?: (row: string) => string;
}

/** Whether a file that cannot be opened was read as text: the fault is at a place in it. */
export const isText = (problem: Failure | null): boolean =>
  problem !== null && problem.line !== undefined && problem.code !== 'encoding';

export class FilesState {
  open = $state(false);
  query = $state('');
  order = $state<FileOrder>('changed');
  /** Sub-folders whose registries are not shown. */
  folded = $state.raw<ReadonlySet<string>>(new Set());
  /** The row that the keys act on: a file, or a sub-folder with a slash at its end. */
  at = $state<string | null>(null);
  /** The file whose name is edited, or the sub-folder with a slash at its end. */
  renaming = $state<string | null>(null);
  /** Whether a sub-folder is being named. */
  naming = $state(false);
  /** What was done in this folder and can be undone, the last one at the end. */
  #done = $state.raw<readonly FileAction[]>([]);
  /** The last action while its undo is offered: for a while, until something else is done. */
  #offered = $state.raw<FileAction | null>(null);
  #offerTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the pointer or the focus is on the offer; then it stays. */
  offerHeld = false;
  /** The deletion of the registry that was open, until another is open or deleted. */
  openDeletion = $state.raw<FileAction | null>(null);
  places = $state.raw<Places | null>(null);
  /** Why the last thing asked for was not done. */
  problem = $state<string | null>(null);
  /** The registry that cannot be opened, when that is the problem. */
  damaged = $state.raw<RegistryEntry | null>(null);

  /** The registry renamed last, and what was looked for then: its row stays, as it has the focus. */
  #renamedUnder = $state.raw<{ file: string; query: string } | null>(null);
  #sizes = $state.raw<ReadonlyMap<string, RegistrySize | null>>(new Map());
  /** Those counted since the list was opened: a registry that was left may have another prompt now. */
  #counted = new Set<string>();
  #wanted: RegistryEntry[] = [];
  #counting = false;
  /** Actions are undone one by one: each applies to the files as the one before left them. */
  readonly #undos = new JobQueue();
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** What is undone next. */
  readonly last = $derived(this.#done.at(-1) ?? null);

  /** The action whose undo the list offers. */
  readonly offer = $derived(this.#offered === this.last ? this.#offered : null);

  readonly entries = $derived.by(() => {
    const all = this.#studio.workspace?.registries ?? [];
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const renamed = this.#renamedUnder;
    const found = all.filter(({ title, file }) => {
      if (renamed?.file === file && renamed.query === this.query) return true;
      const where = `${title} ${file}`.toLowerCase();
      return words.every((word) => where.includes(word));
    });
    return found.toSorted(this.order === 'name' ? byName : byChange);
  });

  /** The rows: the registries of the folder itself, then each sub-folder with its own. */
  readonly rows = $derived.by((): FileRow[] => {
    const file = (entry: RegistryEntry): FileRow => ({
      kind: 'file',
      entry,
      inside: entry.folder !== '',
    });
    const inFolder = new Map<string, RegistryEntry[]>();
    for (const entry of this.entries) {
      const siblings = inFolder.get(entry.folder);
      if (siblings) siblings.push(entry);
      else inFolder.set(entry.folder, [entry]);
    }
    const rows = (inFolder.get('') ?? []).map(file);
    for (const folder of this.#studio.workspace?.folders ?? []) {
      const folderEntries = inFolder.get(folder) ?? [];
      // While something is looked for, only what was found is shown, and all of that.
      if (this.query !== '' && folderEntries.length === 0) continue;
      const open = this.query !== '' || !this.folded.has(folder);
      rows.push({ kind: 'folder', folder, count: folderEntries.length, open });
      if (open) rows.push(...folderEntries.map(file));
    }
    return rows;
  });

  readonly shown = $derived(this.rows.slice(0, MOST_ROWS));

  /** Tokens of a registry as its file is now; undefined until they are counted. */
  size(entry: RegistryEntry): RegistrySize | null | undefined {
    return this.#sizes.get(keyOf(entry));
  }

  show(): void {
    this.open = true;
    this.#counted = new Set();
    this.problem = null;
    this.damaged = null;
    this.at ??= this.#studio.deck?.document ?? null;
    void this.#loadPlaces();
    void this.#studio.refreshWorkspace();
  }

  close(): void {
    this.open = false;
    this.renaming = null;
    this.naming = false;
    this.problem = null;
    this.damaged = null;
    this.query = '';
    this.at = null;
  }

  /** Looks again at where the author worked while the panel shows it, and at the damaged registry. */
  refreshPlaces(): void {
    if (!this.open) return;
    if (this.damaged) this.#describe(this.damaged.file);
    void this.#loadPlaces();
  }

  /** Says why a registry cannot be opened as its file is now; nothing once it can be. */
  #describe(file: string): void {
    const entry = this.#studio.workspace?.registries.find((each) => each.file === file);
    this.damaged = entry?.problem ? entry : null;
    this.problem = entry?.problem ? failureText(entry.problem) : null;
  }

  async #loadPlaces(): Promise<void> {
    try {
      this.places = await this.#studio.backend.places();
    } catch (error) {
      this.problem = failureText(error);
    }
  }

  /** Leaves a name as it is. */
  cancelRename(): void {
    this.renaming = null;
  }

  #clearProblem(): void {
    this.problem = null;
    this.damaged = null;
  }

  /** Does what was asked for; says in the panel, or in a notice without it, why it could not be. */
  async #try<T>(run: () => Promise<T>): Promise<T | undefined> {
    this.#clearProblem();
    try {
      return await run();
    } catch (error) {
      if (this.open) this.problem = failureText(error);
      else this.#studio.notices.fail(error);
      return undefined;
    }
  }

  fold(folder: string, open: boolean): void {
    const next = new Set(this.folded);
    if (open) next.delete(folder);
    else next.add(folder);
    this.folded = next;
  }

  /** Counts the tokens of registries that are in sight, a few at a time. */
  async count(entries: RegistryEntry[]): Promise<void> {
    this.#wanted = entries;
    if (this.#counting) return;
    this.#counting = true;
    try {
      for (let next = this.#uncounted(); next.length > 0 && this.open; next = this.#uncounted()) {
        const counted = this.#counted;
        const sizes = await this.#studio.backend.registrySizes(next.map(({ file }) => file));
        const known = new Map(this.#sizes);
        for (const entry of next) {
          known.set(keyOf(entry), sizes.find(({ file }) => file === entry.file) ?? null);
          counted.add(keyOf(entry));
        }
        this.#sizes = known;
      }
    } catch {
      // The list is whole without them; they are asked for again when it changes.
    } finally {
      this.#counting = false;
    }
  }

  #uncounted(): RegistryEntry[] {
    const open = this.#wanted.filter((entry) => !entry.problem && !this.#counted.has(keyOf(entry)));
    return open.slice(0, COUNTED_AT_ONCE);
  }

  /** Opens a registry and closes the panel. */
  async take(entry: RegistryEntry): Promise<void> {
    if (entry.problem) {
      this.problem = failureText(entry.problem);
      this.damaged = entry;
      return;
    }
    this.close();
    if (entry.file !== this.#studio.deck?.document) await this.#studio.open(entry.file);
  }

  async duplicate(file: string): Promise<void> {
    const studio = this.#studio;
    if (file === studio.deck?.document) await studio.deck.settled();
    const made = await this.#try(() => studio.backend.duplicateRegistry(file));
    if (made === undefined) return;
    await studio.refreshWorkspace();
    this.at = made;
    this.#add({
      kind: 'copied',
      title: this.titleOf(file),
      to: lastStep(made),
      undo: async () => {
        await this.#discard(made, (document) => document === made);
        return file;
      },
    });
  }

  /** Takes away what an action made; if it is open, nothing is open then. */
  async #discard(made: string, holds: (document: string) => boolean): Promise<void> {
    const studio = this.#studio;
    const isOpen = studio.deck !== null && holds(studio.deck.document);
    if (isOpen) await studio.settled();
    if (made.endsWith('/')) await studio.backend.discardFolder(made.slice(0, -1));
    else await studio.backend.deleteRegistry(made);
    if (isOpen) studio.leaveDeleted();
  }

  #add(action: FileAction): void {
    this.#done = [...this.#done, action];
    this.#offerLast();
  }

  #offerLast(): void {
    this.#offered = this.last;
    this.#lapseLater();
  }

  #lapseLater(): void {
    clearTimeout(this.#offerTimer);
    this.#offerTimer = setTimeout(() => {
      if (this.offerHeld) this.#lapseLater();
      else this.lapse();
    }, OFFERED_FOR);
  }

  /** Puts the offer away; what was done can still be undone. */
  lapse(): void {
    clearTimeout(this.#offerTimer);
    this.#offered = null;
    this.offerHeld = false;
  }

  /** Forgets what was done: nothing of it can be undone any more. */
  #forgetDone(): void {
    this.#done = [];
  }

  /** Gives a registry another title; its file name follows. Throws why that is refused. */
  async rename(file: string, title: string): Promise<void> {
    const before = this.titleOf(file);
    if (title.trim() === before) return this.cancelRename();
    const { backend } = this.#studio;
    this.#clearProblem();
    const moved = await this.#follow(file, () => backend.renameRegistry(file, title, null));
    this.#renamedUnder = { file: moved.file, query: this.query };
    await this.#listed(moved);
    this.renaming = null;
    const name = lastStep(file);
    this.#add({
      kind: 'renamed',
      title: before,
      to: title,
      undo: () => this.#moveBack(moved, () => backend.renameRegistry(moved.file, before, name)),
    });
  }

  async moveTo(file: string, folder: string): Promise<boolean> {
    const { backend } = this.#studio;
    const title = this.titleOf(file);
    const from = folderOf(file);
    this.fold(folder, true);
    const moved = await this.#try(() =>
      this.#follow(file, () => backend.moveRegistry(file, folder)),
    );
    if (!moved) return false;
    await this.#listed(moved);
    this.#add({
      kind: 'moved',
      title,
      to: folder,
      undo: () => this.#moveBack(moved, () => backend.moveRegistry(moved.file, from)),
    });
    return true;
  }

  /** The title of a registry as the list shows it. */
  titleOf(file: string): string {
    const studio = this.#studio;
    const isOpen = file === studio.deck?.document;
    const entry = studio.workspace?.registries.find((each) => each.file === file);
    return (isOpen && studio.openTitle) || (entry?.title ?? file);
  }

  /** Moves a file back; throws why it could not be. */
  async #moveBack(moved: Moved, run: () => Promise<Moved>): Promise<string> {
    const back = await this.#follow(moved.file, run);
    await this.#listed(back);
    return back.file;
  }

  /** Moves a file; if it is open, the window goes on under its new name. */
  async #follow(file: string, run: () => Promise<Moved>): Promise<Moved> {
    const studio = this.#studio;
    const isOpen = file === studio.deck?.document;
    if (isOpen) await studio.settled();
    const moved = await run();
    this.#renamed((document) => (document === file ? moved.file : document));
    if (isOpen) await studio.follow(moved.file);
    return moved;
  }

  /** Has what is on its way go on under the new names of its documents. */
  #renamed(newName: (document: string) => string): void {
    this.#studio.run.renamed(newName);
    this.#studio.talk.renamed(newName);
  }

  async #listed(moved: Moved, row = moved.file): Promise<void> {
    const studio = this.#studio;
    await studio.refreshWorkspace();
    this.at = row;
    for (const reason of moved.behind) studio.notices.say('warn', text.files.behind(reason));
  }

  /** Moves a registry to the trash. The panel opens, where that can be undone. */
  async delete(file: string): Promise<void> {
    const studio = this.#studio;
    if (!this.open) this.show();
    const rows = this.rows.flatMap((row) => (row.kind === 'file' ? [row.entry] : []));
    const at = rows.findIndex((entry) => entry.file === file);
    const next = rows[at + 1] ?? rows[at - 1];
    const isOpen = file === studio.deck?.document;
    if (isOpen) await studio.settled();
    const deleted = await this.#try(() => studio.backend.deleteRegistry(file));
    if (!deleted) return;
    this.#deleted(
      {
        kind: 'deleted',
        title: rows[at]?.title ?? file,
        to: '',
        undo: () => studio.backend.restoreRegistry(deleted.id),
      },
      isOpen ? (row) => row : undefined,
    );
    await studio.refreshWorkspace();
    this.at = next?.file ?? null;
  }

  /** Nothing is open after the open registry was deleted: another one was not asked for. */
  #deleted(action: FileAction, reopens: FileAction['reopens']): void {
    const done = reopens ? { ...action, reopens } : action;
    this.#add(done);
    this.openDeletion = reopens ? done : null;
    if (reopens) this.#studio.leaveDeleted();
  }

  /** Undoes what is offered; what the author may have forgotten is offered again first. */
  async undoOffered(): Promise<void> {
    if (this.last !== null && this.offer === null) this.#offerLast();
    else await this.undo();
  }

  /** Undoes what was done last, or the deletion of the open registry; that one is open again then. */
  undo(deletion: FileAction | null = null): Promise<void> {
    return this.#undos.add(async () => {
      const action = deletion ?? this.last;
      if (action) await this.#undo(action);
      else this.#studio.notices.say('plain', text.files.nothingToUndo);
    });
  }

  async #undo(action: FileAction): Promise<void> {
    const file = await this.#try(action.undo);
    const others = this.#done.filter((each) => each !== action);
    if (file === undefined) {
      // Those before it must not wait for it; it is undone after them, when its name may be free.
      if (others.length < this.#done.length) this.#done = [action, ...others];
      this.#offerLast();
      return;
    }
    this.#done = others;
    this.openDeletion = null;
    await this.#studio.refreshWorkspace();
    this.at = file;
    if (action.reopens && !this.#studio.deck) await this.#studio.open(action.reopens(file));
    this.#offerLast();
  }

  /** Gives a sub-folder another name within the folder it is in. Throws why that is refused. */
  async renameFolder(folder: string, name: string): Promise<void> {
    this.#clearProblem();
    const moved = await this.#followFolder(folder, name);
    this.renaming = null;
    const before = lastStep(folder);
    this.#add({
      kind: 'renamed',
      title: before,
      to: lastStep(moved.file),
      undo: async () => `${(await this.#followFolder(moved.file, before)).file}/`,
    });
  }

  /** Renames a sub-folder; if the open registry is in it, the window goes on under its new name. */
  async #followFolder(folder: string, name: string): Promise<Moved> {
    const studio = this.#studio;
    const inside = studio.deck?.document.startsWith(`${folder}/`) ?? false;
    if (inside) await studio.settled();
    const open = studio.deck?.document ?? '';
    const moved = await studio.backend.renameFolder(folder, name);
    const newName = (each: string) =>
      each === folder || each.startsWith(`${folder}/`)
        ? `${moved.file}${each.slice(folder.length)}`
        : each;
    this.#renamed(newName);
    if (inside) await studio.follow(newName(open));
    this.folded = new Set([...this.folded].map(newName));
    await this.#listed(moved, `${moved.file}/`);
    return moved;
  }

  async duplicateFolder(folder: string): Promise<void> {
    const studio = this.#studio;
    if (studio.deck?.document.startsWith(`${folder}/`)) await studio.deck.settled();
    const made = await this.#try(() => studio.backend.duplicateFolder(folder));
    if (made === undefined) return;
    await studio.refreshWorkspace();
    this.at = `${made}/`;
    this.#add({
      kind: 'copied',
      title: folder,
      to: made,
      undo: async () => {
        await this.#discard(`${made}/`, (document) => document.startsWith(`${made}/`));
        return `${folder}/`;
      },
    });
  }

  /** Moves a sub-folder with all that is in it to the trash. */
  async deleteFolder(folder: string): Promise<void> {
    const studio = this.#studio;
    const inside = studio.deck?.document.startsWith(`${folder}/`) ?? false;
    if (inside) await studio.settled();
    const deleted = await this.#try(() => studio.backend.deleteFolder(folder));
    if (!deleted) return;
    const within = studio.deck?.document.slice(folder.length + 1) ?? '';
    this.#deleted(
      {
        kind: 'deleted',
        title: folder,
        to: '',
        undo: async () => `${await studio.backend.restoreRegistry(deleted.id)}/`,
      },
      inside ? (row) => row + within : undefined,
    );
    await studio.refreshWorkspace();
    this.at = null;
  }

  /** Creates a sub-folder. Throws why that is refused. */
  async newFolder(name: string): Promise<void> {
    this.#clearProblem();
    const made = await this.#studio.backend.newFolder(name);
    this.naming = false;
    await this.#studio.refreshWorkspace();
    this.at = `${made}/`;
    this.#add({
      kind: 'made',
      title: made,
      to: '',
      undo: async () => {
        await this.#discard(`${made}/`, (document) => document.startsWith(`${made}/`));
        return '';
      },
    });
  }

  async reveal(file: string): Promise<void> {
    await this.#try(() => this.#studio.backend.reveal(file));
  }

  /** Asks for a folder and opens it. */
  async chooseFolder(): Promise<void> {
    const folder = await this.#try(() => this.#studio.backend.chooseFolder());
    if (folder !== undefined && folder !== null) await this.enterFolder(folder);
  }

  /**
   * Opens a folder that was chosen or dropped. Where it has several registries, the list of them
   * opens: which one the author meant is not known.
   */
  async enterFolder(folder: string): Promise<void> {
    await this.openFolder(folder);
    if (this.problem === null && (this.#studio.workspace?.registries.length ?? 0) > 1) this.show();
  }

  /** Opens a folder, with this registry or the one that was open there last. */
  async openFolder(folder: string, file: string | null = null): Promise<void> {
    const done = await this.#try(() => this.#studio.openFolder(folder, file));
    if (done === undefined) return;
    this.#forgetDone();
    this.#sizes = new Map();
    this.#counted = new Set();
    this.query = '';
    this.folded = new Set();
    this.at = this.#studio.deck?.document ?? null;
    await this.#loadPlaces();
  }

  /** Takes a folder off the list. */
  async forget(folder: string): Promise<void> {
    await this.#try(() => this.#studio.backend.forgetFolder(folder));
    await this.#loadPlaces();
  }
}

/** The sub-folder of a file; empty for the folder itself. */
export const folderOf = (file: string): string => file.slice(0, Math.max(file.lastIndexOf('/'), 0));

/** The last step of a path. */
const lastStep = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A version of a file. */
const keyOf = (entry: RegistryEntry): string => `${entry.file}\n${String(entry.changed_at)}`;
