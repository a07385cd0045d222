// The evaluation shown beside the deck: the prompt in blocks, selection beside use, what became of
// each token, diagnostics and token counts that follow a moment later.
import {
  nextPreview,
  type Counts,
  type DiagnosticNote,
  type Failure,
  type Preview,
  type PreviewPatch,
  type SectionEvaluation,
  type Slot,
  type TokenReport,
  type UnprintedText,
} from '../ipc';
import { blocksOf, type Block } from '../document/blocks';
import { printStatusOf, type PrintStatus } from '../document/print-status';
import { placesOf, registrySteps } from '../document/place';

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

  // Of their own, so that a text that is typed wakes nobody who shows these: a preview that says
  // the same of them brings the same lists.
  /** What each section used. */
  sections = $state.raw<SectionEvaluation[]>([]);
  /** What became of each token. */
  tokens = $state.raw<TokenReport[]>([]);
  /** Texts of the items in use that are not printed. */
  unprinted = $state.raw<UnprintedText[]>([]);
  /** The slots that were rolled. */
  rolled = $state.raw<Slot[]>([]);
  /** Why there is no prompt, when there is none. */
  problem = $state.raw<Failure | null>(null);

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
    this.sections = next.sections;
    this.tokens = next.tokens;
    this.unprinted = next.unprinted;
    if (!sameSlots(this.rolled, next.rolled)) this.rolled = next.rolled;
    this.problem = next.problem;
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

  /** The whole prompt, to the byte. */
  get text(): string {
    return (this.current?.segments ?? []).map((segment) => segment.text).join('');
  }

  clear(): void {
    this.current = null;
    this.sections = [];
    this.tokens = [];
    this.unprinted = [];
    this.rolled = [];
    this.problem = null;
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
