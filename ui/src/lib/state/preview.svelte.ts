// The evaluation shown beside the deck: the prompt in blocks, selection beside use, what became of
// each token, diagnostics and token counts that follow a moment later.
import {
  nextPreview,
  type Counts,
  type DiagnosticNote,
  type Failure,
  type InsertionEffect,
  type Preview,
  type PreviewPatch,
  type SectionEvaluation,
  type Segment,
  type Slot,
  type Step,
  type TokenReport,
  type UnprintedText,
} from '../ipc';
import { blocksOf, LineNumbers, type Block, type Print } from '../document/blocks';
import { isMissing, printStatusOf, type PrintStatus } from '../document/print-status';
import { printedLine, type ShownHit } from '../document/printed-line';
import { comesFrom, placesOf, pointerOf, registrySteps, type Place } from '../document/place';

/** What Find looks for, and which of the words in a text it shows, of so many. */
export interface Finding {
  pattern: RegExp;
  /** How often it went to one. */
  step: number;
  shown: ShownHit | undefined;
}

export class PreviewState {
  current = $state.raw<Preview | null>(null);
  blocks = $state.raw<Block[]>([]);
  counts = $state.raw<Counts | null>(null);
  diagnostics = $state.raw<DiagnosticNote[]>([]);
  /** Those of them that are errors; cards and tokens wait for these, and mostly there are none. */
  errors = $state.raw<DiagnosticNote[]>([]);
  /** Whether lint has spoken of this document; before that nothing is known of its problems. */
  linted = $state(false);
  /** Whether the prompt is shown as plain text, whatever document is open. */
  raw = $state(false);
  /** Whether the rows of unprinted text are open. Undefined until no entry prints something, which
      opens them; after that the author decides. */
  unprintedOpen = $state<boolean>();
  /** The text of an item that is pointed at on its card, and the one that has the focus there. */
  hovered = $state.raw<Place | undefined>();
  focused = $state.raw<Place | undefined>();
  /** The text that Find shows. */
  found = $state.raw<Place | undefined>();
  /** What Find looks for, while its words are marked. */
  finding = $state.raw<Finding | undefined>();
  /** What the entry would print that a button adds, while the button is pointed at; of this preview. */
  insertion = $state.raw<InsertionEffect | undefined>();
  /** The one whose print is pointed at in the prompt. */
  pointed = $state.raw<Place | undefined>();

  readonly #lines = new LineNumbers();

  // Signals of their own: a preview that leaves one of these lists unchanged triggers no update of
  // what shows it.
  /** What each section used. */
  sections = $state.raw<SectionEvaluation[]>([]);
  /** What became of each token. */
  tokens = $state.raw<TokenReport[]>([]);
  /** Texts of the items in use that are not printed. */
  unprinted = $state.raw<UnprintedText[]>([]);
  /** The slots that were rolled. */
  rolled = $state.raw<Slot[]>([]);
  /** How many of them cannot be locked. */
  unlockable = $state(0);
  /** Why there is no prompt, when there is none. */
  problem = $state.raw<Failure | null>(null);
  /** Why the text is the template of the prompt and not what a model gets. */
  unrendered = $state.raw<Failure | null>(null);

  /** Where the text is printed that has the focus on its card. */
  readonly focusedPrint = $derived(this.#printOf(this.focused));
  readonly #hoveredPrint = $derived(this.#printOf(this.hovered));
  /** The line of the prompt that prints what Find shows. */
  readonly foundLine = $derived.by(() => {
    const { pattern, shown } = this.finding ?? {};
    return pattern && shown && printedLine(this.blocks, pattern, shown);
  });
  /** The step of Find that shows words of the prompt, if one does: what is folded unfolds for it once. */
  readonly foundStep = $derived(this.foundLine && this.finding?.step);
  readonly #foundPrint = $derived(this.#printOf(this.found));
  /** The text that is meant on the cards, and where it is printed: the pointer before what Find shows,
      and that before the focus. */
  get meant(): Place | undefined {
    return this.hovered ?? this.followed;
  }
  get meantPrint(): Print | undefined {
    if (this.hovered) return this.#hoveredPrint;
    return this.found ? this.#foundPrint : this.focusedPrint;
  }
  /** The text whose print is scrolled into sight. */
  get followed(): Place | undefined {
    return this.found ?? this.focused;
  }

  readonly bySection = $derived(
    new Map(this.sections.map((section) => [section.section, section])),
  );
  readonly #unprintedByItem = $derived.by(() => {
    const items = new Map<string, UnprintedText[]>();
    for (const each of this.unprinted) {
      const key = itemKey(each.section, each.item.index);
      const texts = items.get(key);
      if (texts) texts.push(each);
      else items.set(key, [each]);
    }
    return items;
  });
  /** The first error of each section and reserved key. */
  readonly faultsOf = $derived(
    new Map(
      this.errors
        .toReversed()
        .map(({ pointer, message }) => [registrySteps(pointer)[0] ?? '', message]),
    ),
  );
  readonly #byPlace = $derived(
    new Map(
      this.diagnostics
        .toReversed()
        .flatMap((note) => placesOf(note).map((steps) => [steps.join('\u001f'), note] as const)),
    ),
  );

  /** Takes over a preview. False when it does not build on the one shown. */
  applyPatch(patch: PreviewPatch): boolean {
    const next = nextPreview(this.current, patch);
    if (!next) return false;
    this.current = next;
    this.insertion = undefined;
    this.sections = next.sections;
    this.tokens = next.tokens;
    this.unprinted = next.unprinted;
    if (next.unprinted.some(isMissing)) this.unprintedOpen ??= true;
    if (!sameSlots(this.rolled, next.rolled)) this.rolled = next.rolled;
    this.unlockable = next.unlockable.length;
    this.problem = next.problem;
    this.unrendered = next.unrendered;
    if (next.unrendered) this.counts = null;
    this.blocks = blocksOf(next.segments, this.blocks);
    return true;
  }

  readonly #byHead = $derived.by(() => {
    const heads = new Map<string, DiagnosticNote[]>();
    for (const note of this.diagnostics) {
      for (const head of new Set(placesOf(note).map(([first]) => first ?? ''))) {
        const notes = heads.get(head);
        if (notes) notes.push(note);
        else heads.set(head, [note]);
      }
    }
    return heads;
  });

  /** Takes over the sizes of a prompt; those of one before the template are late. */
  applyCounts(counts: Counts): void {
    if (!this.unrendered) this.counts = counts;
  }

  /** Takes over what lint found. */
  applyLint(diagnostics: DiagnosticNote[]): void {
    this.diagnostics = diagnostics;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0 || this.errors.length > 0) this.errors = errors;
    this.linted = true;
  }

  /** The worst diagnostic of exactly this place of the registry. */
  at(...path: (string | number)[]): DiagnosticNote | undefined {
    return this.#byPlace.get(path.join('\u001f'));
  }

  /** How many errors there are at a place and below it. */
  errorsUnder(head: string, ...path: (string | number)[]): number {
    return this.under(head, ...path).filter(({ severity }) => severity === 'error').length;
  }

  /** The diagnostics at a place of the registry and below it, worst first. */
  under(head: string, ...path: (string | number)[]): DiagnosticNote[] {
    const notes = this.#byHead.get(head) ?? [];
    if (path.length === 0) return notes;
    const within = (place: string[]) =>
      place[0] === head && path.every((step, index) => place[index + 1] === String(step));
    return notes.filter((note) => placesOf(note).some(within));
  }

  /** Whether a section has a slider in this evaluation. */
  hasSlider(section: string): boolean {
    return this.bySection.get(section)?.slider !== undefined;
  }

  /** What becomes of the texts of an item; undefined while the item is not in use. */
  printStatus(section: string, item: number): PrintStatus | undefined {
    const used = this.bySection.get(section)?.used.some(({ index }) => index === item);
    if (used !== true) return undefined;
    return printStatusOf(this.#unprintedByItem.get(itemKey(section, item)) ?? []);
  }

  // Shared by all fields that ask: each of them would search the whole prompt.
  readonly #printedPointers = $derived(
    new Set(this.current?.segments.map(({ pointer }) => pointer)),
  );
  readonly #printedScales = $derived(
    new Set(
      this.current?.segments.map(({ source }) =>
        source?.field === 'scale' ? source.section : undefined,
      ),
    ),
  );

  /** Whether the prompt prints a text by its path in the registry, where its source names another field:
      what a slider measures, for example. */
  prints(path: readonly Step[]): boolean {
    return this.#printedPointers.has(pointerOf(path));
  }

  /** Whether the sentence of a section's slider is printed. */
  printsScale(section: string): boolean {
    return this.#printedScales.has(section);
  }

  /** The first piece of the prompt that is wanted, with its line. */
  findPrint(wanted: (segment: Segment) => boolean): Print | undefined {
    return this.#lines.find(this.current?.segments ?? [], wanted);
  }

  #printOf(place: Place | undefined): Print | undefined {
    return (
      place && this.findPrint(({ source }) => source !== undefined && comesFrom(source, place))
    );
  }

  /** Why a text of an item is not printed. */
  unprintedAt({ section, item, field, entry, fragment }: Place): UnprintedText | undefined {
    if (section === undefined || item === undefined || field === undefined) return undefined;
    const status = this.printStatus(section, item);
    if (fragment !== undefined) return status?.fragment(fragment);
    return entry === undefined ? status?.of(field) : status?.entry(field, entry);
  }

  /** The whole prompt, to the byte. */
  get text(): string {
    return (this.current?.segments ?? []).map((segment) => segment.text).join('');
  }

  clear(): void {
    this.current = null;
    this.sections = [];
    this.tokens = [];
    this.unprinted = [];
    this.unprintedOpen = undefined;
    this.hovered = undefined;
    this.focused = undefined;
    this.pointed = undefined;
    this.insertion = undefined;
    this.rolled = [];
    this.unlockable = 0;
    this.problem = null;
    this.unrendered = null;
    this.blocks = [];
    this.counts = null;
    this.diagnostics = [];
    this.errors = [];
    this.linted = false;
  }
}

const itemKey = (section: string, item: number): string => `${section}\u001f${item}`;

const sameSlots = (one: Slot[], other: Slot[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
