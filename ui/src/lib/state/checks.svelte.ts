// The checks of the open registry: their file as a replica, the verdicts of the last run, and the
// golden texts that wait for review. The newest run wins; the last result stays until the next is
// there.
import type {
  Backend,
  CheckVerdict,
  ChecksChange,
  ChecksReport,
  ChecksStatus,
  Choice,
  Conflict,
  Edit,
  Event,
  Failure,
  JsonValue,
  NewCheck,
  OpenChecks,
} from '../ipc';
import { writesAtOnce } from '../document/conflict';
import {
  acceptGoldens,
  addCheck,
  entriesOf,
  goldensOf,
  removeCheck,
  type CheckEntry,
  type Golden,
} from '../document/checks';
import { setMember } from '../document/expectations';
import { newCheck } from '../document/given';
import {
  afterEdits,
  pointerOf,
  readUnfilled,
  writtenUnfilled,
  type Unfilled,
} from '../document/unfilled';
import { showTab } from '../window/columns';
import { text } from '../text';
import { afterEdit } from '../util/after-edit';
import { isFailure } from './notices.svelte';
import { Replica } from './replica.svelte';
import type { Studio } from './studio.svelte';

/** The file of checks as the page holds it. */
export class ChecksFile extends Replica<ChecksStatus, ChecksChange, OpenChecks> {
  readonly entries: CheckEntry[] = $derived(entriesOf(this.tree));

  constructor(
    opened: OpenChecks,
    registry: string,
    backend: Backend,
    onError: (error: unknown) => void,
  ) {
    super(opened, {
      apply: (group) => backend.applyChecks(opened.document, group),
      open: () => backend.openChecks(registry),
      onError,
    });
  }

  protected override applyAnswer(): boolean {
    return true;
  }

  // Everything a file of checks says is in its tree and status.
  protected override applyDocument(): void {}
}

/** Which list of the tab a check is in. */
export type Group = 'fails' | 'broken' | 'review' | 'empty' | 'running' | 'holds';

/** A check with its last verdict. */
export interface CheckRow extends CheckEntry {
  verdict: CheckVerdict | undefined;
  group: Group;
}

export class ChecksState {
  file = $state.raw<ChecksFile | null>(null);
  /** Why the file cannot be read or run. */
  problem = $state.raw<Failure | null>(null);
  conflict = $state.raw<Conflict | null>(null);
  report = $state.raw<ChecksReport | null>(null);
  /** Whether a run takes so long that it is worth saying. */
  running = $state(false);
  /** The check that is shown. */
  at = $state<number | null>(null);
  /** The check whose name is a field. */
  renaming = $state<number | null>(null);
  /** The check whose name takes the focus in its form: it was just added. */
  added = $state<number | null>(null);
  /** Expectations that were added without a text: until its field is left, one is not at fault. */
  #unfilled = $state.raw<Unfilled>(new Set());
  /** New texts that were rejected, by pointer and text: they count as failures. */
  #rejected = $state.raw<ReadonlySet<string>>(new Set());

  readonly #studio: Studio;
  #registry: string | undefined;
  #requestNumber = 0;
  /** Cancels the next run. */
  #cancel: () => void = () => undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** The golden texts that differ, those whose new text was rejected included, in the order of the file. */
  readonly changedGoldens: Golden[] = $derived.by(() => {
    // A verdict of an older revision may be about another check of the list.
    if (this.report?.revision !== this.file?.status.revision) return [];
    return (this.report?.verdicts ?? []).flatMap(goldensOf);
  });
  /** The golden texts to review. */
  readonly goldens: Golden[] = $derived(
    this.changedGoldens.filter((golden) => !this.isRejected(golden)),
  );

  readonly rows: CheckRow[] = $derived.by(() => {
    const known = new Map(this.report?.verdicts.map((verdict) => [verdict.name, verdict]));
    // An edit that adds and removes nothing leaves each check its place.
    const inPlace = this.report?.verdicts.length === this.file?.entries.length;
    const review = new Set(this.goldens.map(({ check }) => check));
    return (this.file?.entries ?? []).map((entry): CheckRow => {
      // Until the checks ran again, each keeps the verdict it had.
      const found = inPlace ? this.report?.verdicts[entry.index] : known.get(entry.name);
      const verdict = found && this.#withoutUnfilled(found);
      return { ...entry, verdict, group: groupOf(verdict, review) };
    });
  });

  /** How many checks each list has. */
  readonly counts: Record<Group, number> = $derived.by(() => {
    const counts = { fails: 0, broken: 0, review: 0, empty: 0, running: 0, holds: 0 };
    for (const { group } of this.rows) counts[group] += 1;
    return counts;
  });
  /** Those that say what they expect. */
  readonly filled = $derived(this.rows.length - this.counts.empty);
  /** Those that ask something of the author. */
  readonly atFault = $derived(this.counts.fails + this.counts.broken + this.counts.review);

  /** A verdict without the faults of expectations that wait to be filled in. */
  #withoutUnfilled(verdict: CheckVerdict): CheckVerdict {
    if (this.#unfilled.size === 0) return verdict;
    const faults = verdict.faults.filter(
      ({ pointer }) =>
        ![...this.#unfilled].some((unfilled) => `${pointer}/`.startsWith(`${unfilled}/`)),
    );
    return { ...verdict, faults };
  }

  /** Takes note of the expectations that wait, also for the next time the registry is open. */
  #leaveUnfilled(unfilled: Unfilled): void {
    if (unfilled === this.#unfilled) return;
    this.#unfilled = unfilled;
    this.#studio.view?.texts.set('checks', UNFILLED, writtenUnfilled(unfilled));
  }

  /** Goes to another registry. */
  async enter(registry: string): Promise<void> {
    if (this.#registry === registry && this.file !== null) return;
    this.leave();
    this.#registry = registry;
    await this.#open();
  }

  /** Leaves the registry; what runs is of no use any more. */
  leave(): void {
    this.#requestNumber += 1;
    this.#cancel();
    this.file?.close();
    this.#registry = undefined;
    this.file = null;
    this.problem = null;
    this.conflict = null;
    this.report = null;
    this.#endRun();
    this.at = null;
    this.renaming = null;
    this.added = null;
    this.#unfilled = new Set();
    this.#rejected = new Set();
  }

  async #open(): Promise<void> {
    const registry = this.#registry;
    if (registry === undefined) return;
    const { backend, notices } = this.#studio;
    try {
      const opened = await backend.openChecks(registry);
      if (this.#registry !== registry) return;
      const file = new ChecksFile(opened, registry, backend, (error) => notices.fail(error));
      const { view } = this.#studio;
      if (view) file.unread.remember(view.texts, opened.document);
      this.#unfilled = readUnfilled(view?.texts.get('checks', UNFILLED), opened.tree);
      this.file = file;
      this.conflict = opened.conflict;
      this.problem = null;
      if (opened.draft)
        this.#studio.saving.sayOfDraft(file, opened.draft, text.checks.draftBack(opened.document));
      this.follow();
    } catch (error) {
      if (this.#registry !== registry) return;
      this.problem = isFailure(error) ? error : { code: 'unknown', message: String(error) };
    }
  }

  /** Runs the checks a moment after an edit. */
  follow(): void {
    // What runs now is out of date: its result would be drawn while the author types.
    this.#requestNumber += 1;
    this.#cancel();
    const edited = [this.#studio.deck, this.file].filter((each) => each !== null);
    this.#cancel = afterEdit(() => void this.run(), ...edited.map(({ rhythm }) => rhythm));
  }

  /** Runs all checks on what was edited last. */
  async run(): Promise<void> {
    const { file } = this;
    const { backend, deck } = this.#studio;
    const registry = this.#registry;
    if (!file || !deck || registry === undefined) return;
    this.#requestNumber += 1;
    const number = this.#requestNumber;
    if (file.entries.length === 0) {
      this.report = null;
      this.#endRun();
      return;
    }
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => (this.running = true), SLOW);
    try {
      await Promise.all([deck.settled(), file.settled()]);
      if (number !== this.#requestNumber) return;
      const report = await backend.runChecks(registry);
      if (number !== this.#requestNumber) return;
      this.report = report;
      this.problem = null;
    } catch (error) {
      if (number === this.#requestNumber && isFailure(error) && error.code !== 'superseded')
        this.problem = error;
    } finally {
      if (number === this.#requestNumber) this.#endRun();
    }
  }

  #endRun(): void {
    clearTimeout(this.#slow);
    this.running = false;
  }

  /** Edits the file and runs the checks again. */
  edit(label: string, edits: Edit[], burst?: string): void {
    this.#leaveUnfilled(afterEdits(this.#unfilled, edits, true));
    this.file?.edit(label, edits, burst);
    this.follow();
  }

  /** Edits the file by edits that depend on it. */
  change(label: string, editsOf: (tree: JsonValue) => Edit[], burst?: string): void {
    if (this.file) this.edit(label, editsOf(this.file.tree), burst);
  }

  /** Sets a member, or takes it away if the value is undefined. A burst of values is one step. */
  set(label: string, path: (string | number)[], value: JsonValue | undefined): void {
    this.change(label, (tree) => setMember(tree, path, value), `set:${path.join('/')}`);
  }

  /** Types into a text of the file and runs the checks again. */
  type(label: string, path: (string | number)[], after: string): void {
    this.file?.type(label, path, after);
    this.follow();
  }

  /** Adds a check of the present state, to be filled in. */
  add(): void {
    const { file } = this;
    const { deck } = this.#studio;
    if (!file || !deck) return;
    const taken = new Set(file.entries.map((entry) => entry.name));
    const wanted = text.checks.newName;
    let name: string = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`;
    const index = file.entries.length;
    this.edit(text.checks.undoAdd(name), addCheck(file.tree, newCheck(name, deck)));
    this.at = index;
    this.added = index;
  }

  /** From here on an expectation is judged: its field was left. */
  judge(check: number, expectation: number): void {
    const pointer = pointerOf(check, expectation);
    if (!this.#unfilled.has(pointer)) return;
    this.#leaveUnfilled(new Set([...this.#unfilled].filter((each) => each !== pointer)));
  }

  rename(entry: CheckEntry, name: string): void {
    this.renaming = null;
    if (name.trim() === '' || name === entry.name) return;
    const path = ['checks', entry.index, 'name'];
    const label = text.checks.undoRename(entry.name, name);
    this.edit(label, [{ kind: 'set', path, value: name.trim() }]);
  }

  /** Takes a check out of the file, and shows another one. */
  remove(entry: CheckEntry, next: CheckEntry | undefined): void {
    if (!this.file) return;
    const label = text.checks.undoRemove(entry.name);
    this.edit(label, removeCheck(entry.index));
    this.at = next ? next.index - (next.index > entry.index ? 1 : 0) : null;
    this.#offerUndo(text.checks.removed(entry.name));
  }

  /** Puts new texts in the place of golden ones, as one step. */
  accept(goldens: readonly Golden[]): void {
    const { file } = this;
    if (!file || goldens.length === 0) return;
    this.edit(text.checks.undoAccept(goldens.length), acceptGoldens(file.tree, goldens));
  }

  isRejected(golden: Golden): boolean {
    return this.#rejected.has(keyOf(golden));
  }

  /** Leaves golden texts as they are: their checks count as failures until the texts change. */
  reject(goldens: readonly Golden[]): void {
    this.#rejected = new Set([...this.#rejected, ...goldens.map(keyOf)]);
  }

  /** Adds a check of what is on the screen, and offers to show it. */
  async keep(check: NewCheck): Promise<void> {
    const { backend, deck, notices, view } = this.#studio;
    if (!deck || !view) return;
    if (!this.file) await this.enter(deck.document);
    const { file } = this;
    if (!file) {
      if (this.problem) notices.fail(this.problem);
      return;
    }
    await deck.settled();
    let addedCheck: { index: number; name: string } | undefined;
    const done = await file.change(async () => {
      const { change, index, name } = await backend.keepCheck(deck.document, check);
      addedCheck = { index, name };
      return change;
    });
    if (!done || !addedCheck) return;
    const { index, name } = addedCheck;
    this.follow();
    notices.say('ok', text.checks.kept(name), {
      label: text.checks.show,
      run: () => {
        this.at = index;
        void showTab(view, 'checks');
      },
    });
  }

  /** Shows the roll of a failure: its state, its route and its seed. */
  async openRoll(index: number, seed: number): Promise<void> {
    const { backend, deck, notices, view } = this.#studio;
    if (!deck || !view) return;
    await this.file?.settled();
    const change = await deck.change(() => backend.openCheckRoll(deck.document, index, seed));
    if (!change) return;
    notices.say('plain', text.checks.rollOpened(seed), this.#studio.undoOffer(deck));
    await showTab(view, 'prompt');
  }

  async undo(): Promise<void> {
    await this.#step((file) => this.#studio.backend.undoChecks(file.document));
  }

  async redo(): Promise<void> {
    await this.#step((file) => this.#studio.backend.redoChecks(file.document));
  }

  async #step(run: (file: ChecksFile) => Promise<ChecksChange>): Promise<void> {
    const { file } = this;
    if (!file) return;
    await file.takeBack(async () => {
      const change = await run(file);
      this.#leaveUnfilled(afterEdits(this.#unfilled, change.edits, true));
      for (const edit of change.edits) this.#followEntry(edit);
      return change;
    });
    this.follow();
  }

  /** Goes on with the check that is shown when an undo changes its place, or to one that is there again. */
  #followEntry({ kind, path }: Edit): void {
    const [list, entry] = path;
    if (this.at === null || list !== 'checks' || typeof entry !== 'number' || path.length > 2)
      return;
    if (kind === 'insert') this.at = entry;
    else if (kind === 'remove' && entry <= this.at) this.at = Math.max(this.at - 1, 0);
  }

  /** Saves the file when it is modified. */
  async save(file = this.file): Promise<void> {
    const { backend, notices } = this.#studio;
    await file?.settled();
    if (!file?.status.modified) return;
    try {
      const saved = await backend.saveChecks(file.document);
      file.takeSaved(saved.status);
      if (this.file === file) this.conflict = saved.conflict;
      this.#studio.saving.saved(file.document);
      if (saved.conflict) {
        const isOver = () => this.file === file && this.conflict === null;
        const words = text.notSaved(file.document, saved.conflict.disk);
        notices.say('warn', words, undefined, isOver);
        if (this.file === file) this.showConflict();
      } else notices.say('ok', text.savedTo(file.document, saved.kept));
      this.follow();
    } catch (error) {
      const retry = { label: text.retry, run: () => void this.save(file) };
      this.#studio.saving.notSaved(file, error, retry);
    }
  }

  /** Shows where the versions of the file are chosen from. */
  showConflict(): void {
    const { view } = this.#studio;
    if (view) void showTab(view, 'checks');
  }

  /** Ends the conflict with the file: a side for each part that differs. */
  async resolve(choices: Record<string, Choice>, all?: Choice): Promise<void> {
    const { file } = this;
    if (!file) return;
    const { backend, notices } = this.#studio;
    const writes = writesAtOnce(this.conflict);
    const done = await file.change(async () => {
      const change = await backend.resolveChecks(file.document, choices);
      this.#leaveUnfilled(afterEdits(this.#unfilled, change.edits, false));
      return change;
    });
    if (!done) return;
    this.conflict = null;
    if (all) notices.say('ok', text.choseAll[all](file.document));
    if (writes) await this.save();
    this.follow();
  }

  #offerUndo(words: string): void {
    const { file } = this;
    if (!file) return;
    const { tree } = file;
    this.#studio.notices.say('plain', words, {
      label: text.undo,
      run: () => void this.undo(),
      isStale: () => this.file !== file || file.tree !== tree,
    });
  }

  /** Handles an event of the service when it is about the file of checks. */
  onEvent(event: Event): void {
    const { file } = this;
    switch (event.kind) {
      case 'checks_reloaded':
        if (event.change.document !== file?.document) break;
        this.#leaveUnfilled(afterEdits(this.#unfilled, event.change.edits, false));
        file.receive(event.change);
        this.#studio.notices.say('plain', text.reloaded(file.document));
        this.follow();
        break;
      case 'checks_followed':
        if (event.change.document === file?.document) {
          file.receive(event.change);
          this.follow();
        } else if (this.#studio.deck) {
          // Open from here on, so that saving the registry saves it as well.
          void this.enter(this.#studio.deck.document);
        }
        this.#studio.notices.say('plain', text.checks.followed(event.change.edits.length));
        break;
      case 'checks_autosaved':
        if (event.document !== file?.document) break;
        if (event.report) {
          this.#studio.saving.saved(file.document);
          file.takeSaved(event.report.status);
          this.conflict = event.report.conflict;
          if (event.report.kept)
            this.#studio.notices.say('ok', text.savedTo(file.document, event.report.kept));
        } else if (event.problem) this.#studio.saving.notSaved(file, event.problem);
        break;
      case 'conflicted':
        if (event.document === file?.document) this.conflict = event.conflict;
        break;
      case 'conflict_over':
        if (event.document === file?.document) this.conflict = null;
        break;
      case 'draft':
        if (event.document === file?.document) this.#studio.saving.drafted(file, event);
        break;
      case 'workspace_changed':
        // A file that could not be read may be whole again.
        if (!file && this.problem) void this.#open();
        break;
    }
  }
}

/** How long a run takes before the page says that it runs, in milliseconds. */
const SLOW = 300;

/** Under which name the view keeps the expectations that wait. */
const UNFILLED = 'unfilled';

const keyOf = (golden: Golden): string => JSON.stringify([golden.name, golden.pointer, golden.new]);

function groupOf(verdict: CheckVerdict | undefined, review: ReadonlySet<number>): Group {
  if (!verdict) return 'running';
  if (verdict.outcome === 'passed') return 'holds';
  if (verdict.outcome === 'invalid') return verdict.faults.length === 0 ? 'empty' : 'broken';
  const onlyGolden = verdict.failures.every(({ golden }) => golden !== null);
  return onlyGolden && review.has(verdict.index) ? 'review' : 'fails';
}
