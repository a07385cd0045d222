// What the page may ask about the files of the folder, and about other folders.
import type {
  DamagedSaved,
  DamagedText,
  Deleted,
  Failure,
  Moved,
  NamePurpose,
  Places,
  RegistrySize,
  StartupState,
} from './generated';

export interface FilesBackend {
  /** The folders and registries the author worked on, latest first. */
  places(): Promise<Places>;
  /** Asks for a folder and gives the path to open it by; null when the author thought better of it. */
  chooseFolder(): Promise<string | null>;
  /** Opens a folder that was chosen or open before, in place of the one that is open. */
  openFolder(folder: string, file: string | null): Promise<StartupState>;
  /** Takes a folder off the list. */
  forgetFolder(folder: string): Promise<void>;

  /** Copies a registry file and gives the copy's name. */
  duplicateRegistry(file: string): Promise<string>;
  /** The file or sub-folder that a typed name would make, without the folder it is in; rejected if the
      action would refuse it. */
  checkName(purpose: NamePurpose, typed: string): Promise<string>;
  /** Makes a sub-folder and gives its name. */
  newFolder(name: string): Promise<string>;
  /** Gives a sub-folder another name within the folder it is in. */
  renameFolder(folder: string, name: string): Promise<Moved>;
  /** Copies a sub-folder with its files and gives the copy's name. */
  duplicateFolder(folder: string): Promise<string>;
  /** Moves a sub-folder with all that is in it to the trash. */
  deleteFolder(folder: string): Promise<Deleted>;
  /** Takes away a sub-folder that was made or copied, unless it holds anything put there since. */
  discardFolder(folder: string): Promise<void>;
  /** Gives a registry another title; its file gets `name`, or the name that follows from it. */
  renameRegistry(file: string, title: string, name: string | null): Promise<Moved>;
  /** Moves a registry to a sub-folder, or to the folder itself. */
  moveRegistry(file: string, folder: string): Promise<Moved>;
  /** Moves a registry to the trash. */
  deleteRegistry(file: string): Promise<Deleted>;
  /** Takes the registry or sub-folder of a deletion out of the trash, once, and gives its name. */
  restoreRegistry(id: number): Promise<string>;
  /** The text of a registry that cannot be opened, and what was written in its place and not saved. */
  openDamaged(file: string): Promise<DamagedText>;
  /** Keeps a text written from a version of the file, and says why it cannot be opened. */
  keepDamaged(file: string, text: string, version: string): Promise<Failure | null>;
  /** Replaces the file by the text if it holds this version; of one that another program wrote a copy
      stays beside it. */
  saveDamaged(
    file: string,
    text: string,
    version: string,
    replacesOther: boolean,
  ): Promise<DamagedSaved>;
  /** Shows a registry in the file manager; the folder when the name is empty. */
  reveal(file: string): Promise<void>;
  /** Tokens of at most 40 registries; those that give no prompt are left out. */
  registrySizes(files: string[]): Promise<RegistrySize[]>;
}
