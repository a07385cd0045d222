// Impact: what an edit changes in the rolls of a deck; and rolls by sampling mode.
import type {
  Change,
  Comparison,
  EditImpact,
  Impact,
  ImpactParams,
  ProfileProgress,
  SampledRolls,
  SampleParams,
  Side,
  SnapshotImpact,
} from './generated';

export interface ImpactBackend {
  /**
   * What the edits change against the file as last saved; null if nothing differs from it. A newer
   * call supersedes an older one, which rejects with `superseded`. A comparison of the same rolls
   * with the same budget shares the sample.
   */
  editImpact(document: string, seed: number, budget: number | null): Promise<EditImpact | null>;
  /** Compares two versions in the same rolls. A newer call supersedes an older one. */
  measureImpact(document: string, params: ImpactParams): Promise<Impact>;
  /** How far the running comparison is; null if none runs. */
  impactProgress(): Promise<ProfileProgress | null>;
  /** Ends the running comparison, which gives the rolls made so far. */
  stopImpact(): Promise<void>;
  /** Compares one roll of two versions by words. */
  compareRoll(document: string, left: Side, right: Side, seed: number): Promise<Comparison>;
  /** What the edited registry makes of the snapshots of its file. */
  snapshotImpact(document: string): Promise<SnapshotImpact>;
  /** Lists rolls of a sample. A newer call supersedes an older one. */
  sampleRolls(document: string, params: SampleParams): Promise<SampledRolls>;
  /** Sets the selections and the seed that print the first roll of a sample, as one step. */
  useSampled(document: string, params: SampleParams): Promise<Change>;
}
