// The files of the fake service: names in memory, changed the way the panel asks for.
import { folderOf } from '$lib/state/files.svelte';
import type {
  Backend,
  DamagedDraft,
  Deleted,
  Failure,
  RegistryEntry,
  StartupState,
} from '$lib/ipc';

/** The file that typed words make, for words without punctuation. */
export const fileName = (typed: string): string =>
  `${typed
    .trim()
    .toLowerCase()
    .replace(/\.json$/, '')
    .replaceAll(' ', '_')}.json`;

const taken = (file: string) => ({
  code: 'name_taken',
  message: `${file} already exists; choose another name`,
});

const badName = (name: string) => ({
  code: 'bad_name',
  message: `"${name}" cannot be used: a name may not contain / :; choose another name`,
  reason: 'a name may not contain / :',
});

export class FakeFiles {
  entries: RegistryEntry[];
  folders: string[] = [];
  folder = '/registries';
  /** Folders that were open before. */
  known = ['/registries', '/ferries', '/archive'];
  /** Files that no list shows, whose names no other can have. */
  taken: string[] = [];
  /** Folders that do not exist any more. */
  gone = ['/archive'];
  /** What the dialog answers. */
  chosen: string | null = null;
  /** Registries that were worked on before the recent one. */
  alsoRecent: { folder: string; file: string; title: string }[] = [];
  /** Whether the recent registry has unsaved edits. */
  recentModified = false;
  /** What a damaged file holds, and the text that was kept in its place. */
  damaged = '{"a": }';
  damagedDraft: DamagedDraft | null = null;
  /** What is in the trash, by the id of its deletion. */
  readonly #deleted = new Map<
    number,
    { name: string; folder: boolean; entries: RegistryEntry[] }
  >();
  #deletions = 0;
  readonly #begin: () => StartupState;

  constructor(files: string[], begin: () => StartupState) {
    this.entries = files.map((file) => this.entry(file, 'Scene'));
    this.#begin = begin;
  }

  get first(): string {
    return this.entries[0]?.file ?? '';
  }

  entry(file: string, title: string, changed_at = 0): RegistryEntry {
    const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0));
    return {
      file,
      folder,
      title,
      description: '',
      modified: false,
      changed_at,
      backup: false,
      missing: false,
      problem: null,
    };
  }

  #delete(name: string, folder: boolean): Deleted {
    const goes = (each: RegistryEntry) => (folder ? each.folder : each.file) === name;
    this.#deletions += 1;
    this.#deleted.set(this.#deletions, { name, folder, entries: this.entries.filter(goes) });
    this.entries = this.entries.filter((each) => !goes(each));
    if (folder) this.folders = this.folders.filter((each) => each !== name);
    return { id: this.#deletions, file: name };
  }

  #move(file: string, to: string, title?: string): void {
    if (to !== file && this.entries.some((each) => each.file === to)) throw taken(to);
    this.entries = this.entries.map((each) =>
      each.file === file ? this.entry(to, title ?? each.title) : each,
    );
  }

  /** A text is a registry when it is JSON. */
  #fault(words: string): Failure | null {
    try {
      JSON.parse(words);
      return null;
    } catch {
      return {
        code: 'syntax',
        message: `cut.json: ${words}`,
        reason: `line 1, column 2: ${words}`,
        line: 1,
        column: 2,
      };
    }
  }

  readonly calls: Partial<Backend> = {
    openDamaged: async () => ({
      text: this.damaged,
      version: `of ${this.damaged}`,
      problem: this.#fault(this.damaged),
      draft: this.damagedDraft,
    }),
    keepDamaged: async (file, words, version) => {
      this.damagedDraft = version === `of ${words}` ? null : { text: words, version };
      const modified = this.damagedDraft !== null;
      this.entries = this.entries.map((each) =>
        each.file === file ? { ...each, modified } : each,
      );
      return this.#fault(words);
    },
    saveDamaged: async (file, words, version, replacesOther) => {
      if (version !== `of ${this.damaged}`) {
        throw { code: 'changed_outside', message: `${file} was changed by another program` };
      }
      this.damaged = words;
      this.damagedDraft = null;
      const copyName = replacesOther ? 'cut.replaced-1.json' : null;
      return { version: `of ${words}`, problem: this.#fault(words), kept: copyName };
    },
    places: async () => ({
      folders: this.known.map((path) => ({
        path,
        name: path.slice(path.lastIndexOf('/') + 1),
        registries: 3,
        found: !this.gone.includes(path),
        current: path === this.folder,
      })),
      recent: [
        {
          folder: '/ferries',
          file: 'keeper.json',
          title: 'Ferry Keeper',
          found: true,
          modified: this.recentModified,
        },
        ...this.alsoRecent.map(({ folder, file, title }) => ({
          folder,
          file,
          title,
          found: true,
          modified: false,
        })),
      ],
    }),
    chooseFolder: async () => this.chosen,
    openFolder: async (folder) => {
      this.folder = folder;
      return this.#begin();
    },
    forgetFolder: async (folder) => {
      this.known = this.known.filter((each) => each !== folder);
    },
    duplicateRegistry: async (file) => {
      const copy = file.replace('.json', '_copy.json');
      const title = this.entries.find((each) => each.file === file)?.title ?? '';
      this.entries = [...this.entries, this.entry(copy, `${title} copy`)];
      return copy;
    },
    checkName: async (purpose, typed) => {
      const name = typed.trim();
      if (purpose.kind === 'new_call') return `${name}.json`;
      if (purpose.kind === 'new_registry' || purpose.kind === 'registry') {
        const made = fileName(name);
        const self = purpose.kind === 'registry' ? purpose.file : '';
        const folder = purpose.kind === 'registry' ? folderOf(self) : purpose.folder;
        const file = folder === '' ? made : `${folder}/${made}`;
        const others = [...this.taken, ...this.entries.map((each) => each.file)];
        if (file !== self && others.includes(file)) throw taken(file);
        return made;
      }
      if (/[/:]/.test(name)) throw badName(name);
      const self = purpose.kind === 'folder' ? purpose.folder : '';
      if (name !== self && this.folders.includes(name)) throw taken(name);
      return name;
    },
    newFolder: async (name) => {
      if (/[/:]/.test(name)) throw badName(name);
      if (this.folders.includes(name)) throw taken(name);
      this.folders = [...this.folders, name];
      return name;
    },
    renameFolder: async (folder, name) => {
      if (this.folders.includes(name)) throw taken(name);
      this.folders = this.folders.map((each) => (each === folder ? name : each));
      for (const { file } of this.entries.filter((each) => each.folder === folder)) {
        this.#move(file, `${name}${file.slice(folder.length)}`);
      }
      return { file: name, behind: [] };
    },
    duplicateFolder: async (folder) => {
      this.folders = [...this.folders, `${folder} copy`];
      return `${folder} copy`;
    },
    deleteFolder: async (folder) => this.#delete(folder, true),
    discardFolder: async (folder) => {
      const inside = this.entries.find((each) => each.folder === folder);
      if (inside) {
        throw {
          code: 'folder_in_use',
          message: `the folder ${folder} is not removed: it holds ${inside.file}`,
        };
      }
      this.folders = this.folders.filter((each) => each !== folder);
    },
    renameRegistry: async (file, title, name) => {
      const to = name ?? fileName(title);
      this.#move(file, to, title);
      return { file: to, behind: [] };
    },
    moveRegistry: async (file, folder) => {
      const name = file.slice(file.lastIndexOf('/') + 1);
      const to = folder === '' ? name : `${folder}/${name}`;
      this.#move(file, to);
      return { file: to, behind: [] };
    },
    deleteRegistry: async (file) => this.#delete(file, false),
    restoreRegistry: async (id) => {
      const deleted = this.#deleted.get(id);
      if (!deleted) throw { code: 'nothing_to_do', message: 'there is nothing to restore' };
      const { name, folder, entries } = deleted;
      if (folder ? this.folders.includes(name) : this.entries.some(({ file }) => file === name)) {
        throw taken(name);
      }
      this.#deleted.delete(id);
      if (folder) this.folders = [...this.folders, name];
      this.entries = [...this.entries, ...entries];
      return name;
    },
    reveal: () => Promise.resolve(),
    registrySizes: async (files) =>
      files.map((file) => ({
        file,
        tokens: 250,
        exact: true,
        sections: [
          { section: 'personas', tokens: 200 },
          { section: 'house_rules', tokens: 50 },
        ],
      })),
  };
}
