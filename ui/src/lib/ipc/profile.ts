// Profiles: samples of a deck's rolls.
import type { Profile, ProfileParams, ProfileProgress, RollFilter, RollList } from './generated';

export interface ProfileBackend {
  /** Measures a sample. A newer call supersedes an older one, which rejects with `superseded`. */
  measureProfile(document: string, params: ProfileParams): Promise<Profile>;
  /** How far the running measurement is; null if none runs. */
  profileProgress(): Promise<ProfileProgress | null>;
  /** Ends the running measurement, which gives the rolls made so far. */
  stopProfile(): Promise<void>;
  /** Lists rolls of a sample from the roll `from` on, some at a time. */
  profileRolls(
    document: string,
    params: ProfileParams,
    filter: RollFilter,
    from: number,
  ): Promise<RollList>;
}
