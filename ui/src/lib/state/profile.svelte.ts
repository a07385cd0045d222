// The profile of a document while its tab is open: what was measured last, what is being measured,
// what is chosen in it. The newest request wins; the last result stays until the next one is there.
import type {
  Backend,
  Profile,
  ProfileParams,
  ProfileProgress,
  ProfileSlot,
  RollFilter,
  SampleMode,
  Variant,
} from '../ipc';
import { Poll } from '../util/poll.svelte';
import { rollsOf, type ProfileChoice } from '../document/profile';
import { failureText } from './notices.svelte';

/** The rolls that are measured after every edit. */
export const FIRST_ROLLS = 2000;
/** The sample sizes on offer. */
export const SAMPLES = [FIRST_ROLLS, 10_000, 100_000, 1_000_000] as const;

/** How often the progress of a large sample is asked for, in milliseconds. */
export const POLL_MS = 200;

/** How the rolls of the list are sampled; `different` leaves out equal prompts. */
export const SAMPLINGS = [
  'different',
  'random',
  'shuffle',
  'pairwise',
  'exhaustive',
] as const satisfies readonly ('different' | SampleMode)[];
export type Sampling = (typeof SAMPLINGS)[number];

/** What of the profile is kept while its tab is closed. */
export class ProfileSettings {
  rolls = $state<number>(FIRST_ROLLS);
  budget = $state<number | null>(null);
  /** How the rolls are sampled that are listed. */
  sampling = $state<Sampling>('different');
  /** The slots of the grid of pairs, while it is open. */
  pair = $state.raw<[ProfileSlot, ProfileSlot] | null>(null);
}

export class ProfileState {
  profile = $state.raw<Profile | null>(null);
  problem = $state<string>();
  choice = $state.raw<ProfileChoice | null>(null);
  /** The rolls of the choice, as far as they were listed. */
  rolls = $state.raw<Variant[]>([]);
  /** Where the list continues. */
  next = $state.raw<number | null>(null);
  listing = $state(false);
  /** Why the rolls could not be listed. */
  listProblem = $state<string>();

  readonly #backend: Backend;
  readonly #document: string;
  readonly #settled: () => Promise<unknown>;
  readonly #settings: ProfileSettings;
  #requestNumber = 0;
  #listNumber = 0;
  #params: ProfileParams | undefined;
  readonly #poll: Poll<ProfileProgress>;

  constructor(
    backend: Backend,
    document: string,
    settled: () => Promise<unknown>,
    settings: ProfileSettings,
  ) {
    this.#backend = backend;
    this.#document = document;
    this.#settled = settled;
    this.#settings = settings;
    this.#poll = new Poll(() => backend.profileProgress(), POLL_MS);
  }

  /** How far a large sample is. */
  get progress(): ProfileProgress | null {
    return this.#poll.current;
  }

  /** What is measured now is out of date: its result would be drawn while the author types. */
  outdate(): void {
    this.#requestNumber += 1;
    this.#poll.stop();
  }

  /** Measures the sample from a seed on: the first rolls at once, more of them after that. */
  async measure(seed: number): Promise<void> {
    this.outdate();
    const number = this.#requestNumber;
    const newest = () => number === this.#requestNumber;
    const { rolls, budget, pair } = this.#settings;
    try {
      await this.#settled();
      if (!newest()) return;
      const samples = rolls > FIRST_ROLLS ? [FIRST_ROLLS, rolls] : [FIRST_ROLLS];
      for (const sample of samples) {
        const params = { seed, rolls: sample, budget, pair };
        if (sample > FIRST_ROLLS) this.#poll.start();
        const profile = await this.#backend.measureProfile(this.#document, params);
        if (!newest()) return;
        this.#show(profile, { ...params, rolls: profile.rolls });
      }
    } catch (error) {
      if (newest()) this.problem = failureText(error);
    } finally {
      if (newest()) this.#poll.stop();
    }
  }

  /** Ends the large sample; what was measured of it is shown. */
  stop(): void {
    void this.#backend.stopProfile();
  }

  /** Ends all work: the tab is closed. */
  close(): void {
    this.#requestNumber += 1;
    this.#listNumber += 1;
    if (this.#poll.running) this.stop();
    this.#poll.stop();
  }

  /** Lists the rolls of a bar or a row, or of the whole sample again. */
  choose(choice: ProfileChoice | null): void {
    this.choice = choice;
    this.#list();
  }

  /** Lists more rolls. */
  more(): void {
    if (this.next !== null && !this.listing) void this.#listFrom(this.next);
  }

  #show(profile: Profile, params: ProfileParams): void {
    this.profile = profile;
    this.problem = undefined;
    this.#params = params;
    const { choice } = this;
    if (!choice) return;
    // A mark that the new profile does not have is no choice.
    const rolls = rollsOf(choice, profile);
    if (rolls === undefined) this.choose(null);
    else this.choose(choice.by === 'rows' ? { ...choice, rolls } : choice);
  }

  #list(): void {
    this.#listNumber += 1;
    this.next = null;
    this.listProblem = undefined;
    this.listing = false;
    if (this.choice) void this.#listFrom(0);
    else this.rolls = [];
  }

  async #listFrom(from: number): Promise<void> {
    const { choice } = this;
    const params = this.#params;
    if (!choice || !params) return;
    this.#listNumber += 1;
    const number = this.#listNumber;
    this.listing = true;
    const filter: RollFilter =
      choice.by === 'bar'
        ? { by: 'tokens', from: choice.from, to: choice.to }
        : { by: 'prints', rows: choice.rows };
    try {
      const list = await this.#backend.profileRolls(this.#document, params, filter, from);
      if (number !== this.#listNumber) return;
      this.rolls = from === 0 ? list.rolls : [...this.rolls, ...list.rolls];
      this.next = list.next;
    } catch (error) {
      if (number === this.#listNumber) this.listProblem = failureText(error);
    } finally {
      if (number === this.#listNumber) this.listing = false;
    }
  }
}
