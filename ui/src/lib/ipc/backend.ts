// What the page may ask of the service: one typed interface. The window's answer to it is in
// tauri.ts; page tests pass a fake. Every call rejects with a `Failure`.
import type { NewRegistryBackend } from './new-registry';
import type { ChatBackend } from './chat';
import type { ChecksBackend } from './checks';
import type {
  Alternatives,
  EditGroup,
  StartupState,
  Change,
  Choice,
  Comparison,
  Event,
  Exported,
  Granularity,
  EntrySplit,
  InsertionEffect,
  JsonValue,
  ModelJson,
  OpenDocument,
  PromptEditRequest,
  PromptFile,
  PromptFileFormat,
  PromptFileSource,
  SaveReport,
  Settings,
  Side,
  Slot,
  SnapshotPage,
  SnapshotQuery,
  SnapshotSummary,
  Variant,
  VariantCount,
  Verdict,
  View,
  Workspace,
} from './generated';
import type { FilesBackend } from './files';
import type { ImpactBackend } from './impact';
import type { ProfileBackend } from './profile';
import type { RequestBackend } from './request';
import type { RunBackend } from './run';
import type { TalkBackend } from './talk';

export interface Backend
  extends
    NewRegistryBackend,
    ChatBackend,
    ChecksBackend,
    FilesBackend,
    ImpactBackend,
    ProfileBackend,
    RequestBackend,
    RunBackend,
    TalkBackend {
  /**
   * What the window begins with: the folder, and the first registry opened. From now on calls back
   * for every event.
   */
  start(onEvent: (event: Event) => void): Promise<StartupState>;
  /** The window is drawn: the service begins what would have delayed that. */
  started(): Promise<void>;
  /** The folder, its registries, settings, the file to open first. */
  workspace(): Promise<Workspace>;
  /** Opens a registry, with its draft when there is one; opening an open one returns it again. */
  open(file: string): Promise<OpenDocument>;
  /** Closes a document; unsaved edits stay in its draft. */
  close(document: string): Promise<void>;

  /**
   * Applies edits the page has already made to its replica; mostly the answer is there at once. One
   * group at a time: send the next when the answer is there. Rejected as a whole with
   * `stale_revision` when `base` is not the document's revision, with `bad_edit` when an edit does
   * not fit; open the document again then.
   */
  apply(document: string, group: EditGroup): Change | Promise<Change>;
  /**
   * Makes an edit in the prompt. The edits of the document that make it are in the answer, and the
   * caret; a refusal has a code that begins with `prompt_`, and nothing was changed.
   */
  editPrompt(document: string, request: PromptEditRequest): Change | Promise<Change>;
  /**
   * Renames the variable at a position of a section's `template_vars`; texts, conditions and values
   * follow. The edits to make are in the answer; refused with `variable_name`.
   */
  renameVariable(
    document: string,
    base: number,
    section: string,
    index: number,
    name: string,
  ): Promise<Change>;
  /** The entries that a roll could have printed in place of a segment; null if it was not rolled. */
  alternatives(document: string, segment: number): Promise<Alternatives | null>;
  /** Takes back the last step; the edits to make are in the answer. */
  undo(document: string): Promise<Change>;
  redo(document: string): Promise<Change>;
  /** Draws a new seed; refused with `seed_locked` while the seed is locked. */
  roll(document: string): Promise<Change>;
  /** Goes back to the seed before the last roll. */
  useLastSeed(document: string): Promise<Change>;
  lockSeed(document: string, locked: boolean): Promise<Change>;
  /** Freezes what was evaluated into the selection: these slots, or all that were rolled. */
  lock(document: string, slots: Slot[] | null): Promise<Change>;

  /** Writes the canonical form; answers with a conflict instead when the file has changed. */
  save(document: string): Promise<SaveReport>;
  /** Ends a conflict: a side for each key that differs. A snapshot is taken first. */
  resolve(document: string, choices: Record<string, Choice>): Promise<Change>;
  /** Goes back to what the file holds, as an edit that can be undone. A snapshot is taken first. */
  revert(document: string): Promise<Change>;

  /** The canonical model JSON and its difference to the file. */
  modelJson(document: string): Promise<ModelJson>;
  /** Asks for a path and writes the model JSON there; null when the author thought better of it. */
  exportFile(document: string): Promise<Exported | null>;
  /** The prompt file of a document or snapshot, and what it does not say. */
  promptFile(source: PromptFileSource, format: PromptFileFormat): Promise<PromptFile>;
  /** Asks for a path and writes the prompt file there; null when the author thought better of it. */
  exportPromptFile(source: PromptFileSource, format: PromptFileFormat): Promise<Exported | null>;
  /** Puts text on the clipboard. */
  copy(text: string): Promise<void>;

  snapshots(query: SnapshotQuery): Promise<SnapshotPage>;
  /** Takes a snapshot; without a name it is named by what is chosen. */
  takeSnapshot(document: string, name: string | null): Promise<SnapshotSummary>;
  /** Puts a snapshot into the document, as an edit that can be undone. */
  switchSnapshot(document: string, id: number): Promise<Change>;
  describeSnapshot(id: number, name: string, note: string): Promise<SnapshotSummary>;
  /** Pins to a key 1 to 9 (the previous holder loses the key), or unpins with null. */
  pinSnapshot(id: number, key: number | null): Promise<SnapshotSummary>;
  duplicateSnapshot(id: number): Promise<SnapshotSummary>;
  deleteSnapshot(id: number): Promise<void>;
  undeleteSnapshot(id: number): Promise<SnapshotSummary>;
  /** Asks for a path and writes the snapshot's model JSON there. */
  exportSnapshot(id: number): Promise<Exported | null>;
  compare(document: string, left: Side, right: Side, granularity: Granularity): Promise<Comparison>;

  /**
   * The entries that complete a bracket left open, as in `section[`, without those that can match no
   * item.
   */
  lookUps(document: string, typed: string): Promise<string[]>;
  /** The index in the registry's own assembly order that the entry of a new section takes; null if the
      section is printed without another entry. */
  sectionIndex(document: string, section: string, value: JsonValue): Promise<number | null>;
  /**
   * The entries to split when an item of a section gets a list that would print in place of its text;
   * `value` is the section with the list.
   */
  entrySplits(
    document: string,
    section: string,
    value: JsonValue,
    item: number,
  ): Promise<EntrySplit[]>;
  /** What an entry at `index` of the assembly order in use would print; changes nothing. */
  tryInsertion(document: string, entry: string, index: number): Promise<InsertionEffect>;
  variantCount(document: string): Promise<VariantCount>;
  /** Rolls `count` seeds from `seed` on and gives the distinct prompts, at most 200 seeds. */
  rollVariants(document: string, seed: number, count: number): Promise<Variant[]>;
  /** Makes a variant's seed the document's seed. */
  useSeed(document: string, seed: number): Promise<Change>;
  /** What the output policy in use makes of a text. */
  tryPolicy(document: string, text: string): Promise<Verdict>;

  saveSettings(settings: Settings): Promise<void>;
  view(file: string): Promise<View>;
  saveView(file: string, view: View): Promise<void>;
}
