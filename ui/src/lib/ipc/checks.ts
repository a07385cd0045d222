// The file of checks of a registry: edits, verdicts, new checks.
import type {
  Change,
  CheckAdded,
  ChecksChange,
  ChecksReport,
  ChecksSaved,
  Choice,
  EditGroup,
  NewCheck,
  OpenChecks,
} from './generated';

export interface ChecksBackend {
  /** Opens the file of checks of a registry, with its draft when there is one; empty without a file. */
  openChecks(registry: string): Promise<OpenChecks>;
  /** Applies edits the page has made to its replica of a file of checks. */
  applyChecks(document: string, group: EditGroup): Promise<ChecksChange>;
  undoChecks(document: string): Promise<ChecksChange>;
  redoChecks(document: string): Promise<ChecksChange>;
  /** Writes a file of checks; answers with a conflict instead when the file has changed. */
  saveChecks(document: string): Promise<ChecksSaved>;
  /** Ends the conflict of a file of checks: a side for each part that differs. */
  resolveChecks(document: string, choices: Record<string, Choice>): Promise<ChecksChange>;
  /** Runs all checks. A newer call supersedes an older one, which rejects with `superseded`. */
  runChecks(registry: string): Promise<ChecksReport>;
  /** Adds a check that holds now. */
  keepCheck(registry: string, check: NewCheck): Promise<CheckAdded>;
  /** Puts the state, the route and a seed of a check into the registry's document. */
  openCheckRoll(registry: string, index: number, seed: number): Promise<Change>;
}
