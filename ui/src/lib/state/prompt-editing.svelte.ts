// The stretch of the prompt that is open for editing: its caret, what the prompt cannot hold yet,
// why an edit was refused. Edits are made by the core; this sends them, one after the other.
import type { Alternatives, Change, Failure, PromptEdit, Segment, Source } from '../ipc';
import type { Block, Spot } from '../document/blocks';
import {
  caretIn,
  endOfChange,
  isEditable,
  isSameList,
  passage,
  pieceRange,
  spotAtCaret,
  spotKey,
  spotText,
  writtenText,
  type SpotIndex,
} from '../document/open-spot';
import {
  composed,
  replacementBetween,
  selectionAfter,
  type TextRange,
} from '../document/replacement';
import { isTemplate } from '../document/registry';
import { anchorOf, placeOfPointer, placeOfSource, placeOfVariable } from '../document/place';
import { text } from '../text';
import type { DeckState, PastedAs } from './deck.svelte';
import { isUndoing } from './replica.svelte';
import type { PreviewState } from './preview.svelte';

/** White space at the end of the prompt, which it does not hold until more is typed. */
interface Pending {
  at: number;
  text: string;
}

/** What an open stretch was when it was last looked at. */
interface Seen {
  source: Source | undefined;
  text: string;
  prompt: readonly Segment[];
}

/** A selection in the open stretch. */
export interface OpenSelection extends TextRange {
  /** Whether it was made from its end, which stays while its start is moved. */
  backward?: boolean;
}

/** What the field on a card shows of the stretch that is open in the prompt. */
export interface MirroredCaret {
  anchor: string;
  offset: number;
}

const TYPED: PastedAs = { pasted: false };
const PASTED: PastedAs = { pasted: true };

export class PromptEditing {
  /** The open stretch. */
  index = $state.raw<SpotIndex | undefined>();
  selection = $state.raw<OpenSelection>({ start: 0, end: 0 });
  pending = $state.raw<Pending | undefined>();
  /** The rolled stretch whose alternatives are listed. */
  rolled = $state.raw<
    { index: SpotIndex; key: string; offset: number; list: Alternatives } | undefined
  >();
  /** Why the last edit was refused, and where its text is made. */
  refusal = $state.raw<Failure | undefined>();

  readonly #preview: PreviewState;
  readonly #deck: () => DeckState | null;
  #key = '';
  /** The open stretch, and its prompt when it was last looked at. */
  #seen: Seen = { source: undefined, text: '', prompt: [] };
  /** What was copied last from a stretch: as it was printed, and as it is written in its section. */
  #copied: { section: string; text: string; written: string } | undefined;
  #queue: Promise<void> = Promise.resolve();
  /** How many edits are in the queue. */
  #waiting = 0;
  /** An edit of this is on its way and says itself where the caret goes. */
  #busy = false;

  constructor(preview: PreviewState, deck: () => DeckState | null) {
    this.#preview = preview;
    this.#deck = deck;
  }

  readonly spot = $derived.by(() => this.#spotAt(this.index));
  /** The token whose text is open. */
  readonly token = $derived(this.spot?.source?.token ?? undefined);
  /** The field on a card that holds the open text. */
  readonly anchor = $derived.by(() => {
    const source = this.spot?.source;
    if (source === undefined) return undefined;
    const piece = this.#piece;
    const variable = piece?.source?.variable;
    if (variable !== undefined) {
      return anchorOf(placeOfVariable(this.#deck()?.section(source.section), variable));
    }
    const pointer = piece?.pointer;
    return anchorOf(pointer === undefined ? placeOfSource(source) : placeOfPointer(pointer));
  });
  /** The caret in that field; unknown beside a variable without a value. */
  readonly caret = $derived.by(() => {
    const { spot, selection } = this;
    if (spot?.edge) return undefined;
    const range = spot && pieceRange(spot, selection.start, selection.start);
    return range === undefined || range.piece.bullet === true
      ? 0
      : (range.piece.start ?? 0) + range.start;
  });

  /** The piece that has the caret. */
  get #piece(): Segment | undefined {
    const { spot, selection } = this;
    return spot && pieceRange(spot, selection.start, selection.start)?.piece;
  }

  get #blocks(): Block[] {
    return this.#preview.blocks;
  }

  #spotAt(index: SpotIndex | undefined): Spot | undefined {
    return index && this.#blocks[index.block]?.spots[index.spot];
  }

  /** The text of the open stretch as it is drawn. */
  get text(): string {
    const words = this.spot ? spotText(this.spot) : '';
    const { pending } = this;
    return pending ? words.slice(0, pending.at) + pending.text + words.slice(pending.at) : words;
  }

  /** Opens a stretch, after the edits of the one before are made. */
  open(index: SpotIndex, selection: OpenSelection): void {
    if (this.#waiting === 0) this.#open(index, selection);
    else void this.#after(async () => this.#open(index, selection));
  }

  #open(index: SpotIndex, selection: OpenSelection): void {
    const spot = this.#spotAt(index);
    if (!spot || !isEditable(spot)) return;
    const same = this.index?.block === index.block && this.index.spot === index.spot;
    if (!same) {
      this.pending = undefined;
      this.index = index;
    }
    this.refusal = undefined;
    this.rolled = undefined;
    this.#key = spotKey(spot);
    this.#look(spot);
    this.select(selection);
  }

  /**
   * Lists what a roll could have printed in place of a stretch that was pressed at an offset; false
   * when it was not rolled.
   */
  async list(index: SpotIndex, offset: number): Promise<boolean> {
    const spot = this.#spotAt(index);
    const segment = spot && this.#segmentOf(spot.pieces.at(-1));
    const list = segment === undefined ? null : await this.#deck()?.alternatives(segment);
    if (!spot || !list) return false;
    await this.settled();
    // At once, so that nothing is drawn with neither open.
    this.#close();
    this.rolled = { index, key: spotKey(spot), offset, list };
    return true;
  }

  /** Sets another entry or item in place of the rolled one. */
  choose(choice: number): Promise<void> {
    return this.#after(async () => {
      const { rolled } = this;
      const spot = this.#spotAt(rolled?.index);
      const piece = spot?.pieces.at(-1);
      if (!rolled || !spot || !piece) return;
      const refusal = await this.#edit(
        spot,
        piece,
        (segment) => ({ kind: 'choose', segment, choice }),
        choiceLabel(rolled.list, choice),
      );
      if (refusal) this.refusal = refusal;
      else this.rolled = undefined;
    });
  }

  /** Takes note of what the open stretch shows. */
  #look(spot: Spot): void {
    this.#seen = {
      source: spot.source,
      text: spotText(spot),
      prompt: this.#preview.current?.segments ?? [],
    };
  }

  #segmentOf(piece: Segment | undefined): number | undefined {
    const at = piece ? (this.#preview.current?.segments.indexOf(piece) ?? -1) : -1;
    return at < 0 ? undefined : at;
  }

  /** Takes note of the selection; white space that waits is dropped once the caret leaves it. */
  select(selection: OpenSelection): void {
    const { start, end, backward } = this.selection;
    const isSame =
      start === selection.start && end === selection.end && backward === selection.backward;
    if (!isSame) {
      this.selection = selection;
      this.refusal = undefined;
    }
    const { pending } = this;
    if (!pending) return;
    const last = pending.at + pending.text.length;
    if (selection.start >= pending.at && selection.end <= last) return;
    this.pending = undefined;
    const back = (at: number) => (at >= last ? at - pending.text.length : at);
    this.selection = { start: back(selection.start), end: back(selection.end) };
  }

  /** Closes the open stretch, after what was typed into it is made: it is meant for no other. */
  close(): Promise<void> {
    if (this.#waiting > 0) return this.#after(async () => this.#close());
    this.#close();
    return Promise.resolve();
  }

  /** Whether the prompt is rendered with arguments: the core edits only texts that print as written. */
  get isRendered(): boolean {
    return isTemplate(this.#deck()?.registry ?? {});
  }

  /** Whether all that was typed is made. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Waits until what was typed is made. */
  settled(): Promise<void> {
    return this.#queue;
  }

  #close(): void {
    this.index = undefined;
    this.rolled = undefined;
    this.pending = undefined;
    this.refusal = undefined;
  }

  refuse(code: string, message: string): void {
    this.refusal = { code, message };
  }

  /** Follows the open stretch through a change that was not made here; closes it when it is gone. */
  follow(): void {
    const { rolled } = this;
    const listed = this.#spotAt(rolled?.index);
    if (rolled && (!listed || spotKey(listed) !== rolled.key)) this.rolled = undefined;
    if (!this.index || !this.#key || this.#busy) return;
    const seen = this.#seen;
    const { spot } = this;
    const segments = this.#preview.current?.segments ?? [];
    const isHere = spot !== undefined && spotKey(spot) === this.#key;
    const isUndone = isUndoing();
    if (isHere && segments.length === seen.prompt.length) {
      // An undo that changed another text: the next key would not go where the author looks.
      if (isUndone && spotText(spot) === seen.text) this.#close();
      else this.#stayIn(this.index, spot);
    } else if (isUndone) {
      const found = spotAtCaret(this.#blocks, segments, endOfChange(seen.prompt, segments));
      const undone = this.#spotAt(found?.index);
      const isOwn =
        undone && (spotKey(undone) === this.#key || isSameList(undone.source, seen.source));
      if (found && isOwn) this.#open(found.index, { start: found.offset, end: found.offset });
      else this.#close();
    } else {
      this.#followText();
    }
  }

  /** Keeps the caret where it was in the open text, or puts it behind what was changed there. */
  #stayIn(index: SpotIndex, spot: Spot): void {
    const selection = selectionAfter(this.#seen.text, spotText(spot), this.selection, isUndoing());
    this.#look(spot);
    if (this.index?.block !== index.block || this.index.spot !== index.spot) this.index = index;
    this.selection = selection;
  }

  /** Finds the open text again after stretches came or went: by its words where it is an entry of a list. */
  #followText(): void {
    const { source, text: words } = this.#seen;
    let found: SpotIndex | undefined;
    for (const [block, { spots }] of this.#blocks.entries()) {
      for (const [at, each] of spots.entries()) {
        const isSame = spotKey(each) === this.#key;
        if (isSame && spotText(each) === words) return this.#stayIn({ block, spot: at }, each);
        const isMoved = isSameList(each.source, source) && spotText(each) === words;
        if (isMoved || (isSame && !found)) found = { block, spot: at };
      }
    }
    const spot = this.#spotAt(found);
    if (!found || !spot) return this.#close();
    this.#key = spotKey(spot);
    this.#stayIn(found, spot);
  }

  /** Types over the selection. */
  type(words: string): Promise<void> {
    return this.#after(() => this.replace(this.selection, words));
  }

  /** Takes note of a text that goes to the clipboard, to be pasted with the names of its variables. */
  copied({ start, end }: TextRange): void {
    const { spot } = this;
    const section = spot?.source?.section;
    if (!spot || section === undefined) return;
    const written = writtenText(spot, start, end);
    this.#copied = { section, written, text: this.text.slice(start, end) };
  }

  #asCopied(words: string): PastedAs {
    const copied = this.#copied;
    const isOwn = copied?.text === words && copied.section === this.spot?.source?.section;
    const isOther = isOwn && copied.written !== words;
    return isOther ? { ...PASTED, written: copied.written } : PASTED;
  }

  /** Pastes over the selection; lines that are pasted into an entry of a list become entries. */
  paste(words: string): Promise<void> {
    return this.#after(async () => {
      if (this.spot?.source?.entry !== undefined && words.includes('\n')) {
        const { start, end } = this.selection;
        if (start !== end && !(await this.#clear(this.selection))) return;
        // A rolled list or a value takes them as one text.
        if (!(await this.#split(words))) return;
      }
      return this.replace(this.selection, words, this.#asCopied(words));
    });
  }

  /** Makes what an input method wrote over a text, which edits may have changed since it began. */
  compose(before: string, after: string, begun: OpenSelection): Promise<void> {
    const { start, end, text: words } = composed(before, after, begun);
    if (start === end && words === '') return this.#queue;
    return this.#after(() => {
      const meanwhile = replacementBetween(before, this.text);
      const by = meanwhile.text.length - (meanwhile.end - meanwhile.start);
      const shift = (at: number) => (at >= meanwhile.end ? at + by : at);
      return this.replace({ start: shift(start), end: shift(end) }, words);
    });
  }

  delete(range: OpenSelection): Promise<void> {
    if (range.start === range.end) return this.#queue;
    return this.#after(() => this.replace(range, ''));
  }

  /** Replaces a range of the open text. */
  async replace(range: OpenSelection, words: string, pasted = TYPED): Promise<void> {
    const before = this.text;
    await this.#replace(range, words, pasted);
    // White space that went with the words behind it waits for others.
    const space = before.slice(this.selection.start, range.start);
    const isGone = words === '' && !this.refusal && !this.pending && space !== '';
    if (isGone && this.spot && space.trim() === '') this.#wait(this.selection.start, space);
  }

  #wait(at: number, space: string): void {
    this.pending = { at, text: space };
    const end = at + space.length;
    this.selection = { start: end, end };
  }

  async #replace(range: OpenSelection, words: string, pasted: PastedAs): Promise<void> {
    const { spot, pending } = this;
    if (!spot) return;
    if (pending) return this.#replacePending(range, words, pending, pasted);
    const { edge } = spot;
    const found = edge
      ? { piece: edge.gap, start: 0, end: 0 }
      : pieceRange(spot, range.start, range.end);
    if (!found) return this.#replacePassage(spot, range, words, pasted);
    const { piece, start, end } = found;
    const refusal = await this.#edit(
      spot,
      piece,
      (segment) =>
        edge
          ? { kind: 'beside', segment, after: edge.after, text: words }
          : { kind: 'replace', segment, start, end, text: words },
      edge ? fieldLabel(spot) : labelOf(spot, piece),
      pasted,
    );
    if (refusal?.code === 'prompt_whitespace' && start === end && words.trim() === '') {
      this.#wait(range.start, words);
    } else {
      // A value can't be empty: what is typed next takes the place of its last letters.
      if (refusal?.code === 'prompt_default_value' && words === '') {
        this.selection = { start: range.start, end: range.end };
      }
      this.refusal = refusal;
    }
  }

  /** Deletes a range; false when that was refused. */
  async #clear(range: OpenSelection): Promise<boolean> {
    this.refusal = undefined;
    await this.replace(range, '');
    return this.refusal === undefined;
  }

  /** Replaces a range over several pieces, with the variables inside it. */
  async #replacePassage(
    spot: Spot,
    range: OpenSelection,
    words: string,
    pasted: PastedAs,
  ): Promise<void> {
    const found = passage(spot, range.start, range.end);
    const last = this.#segmentOf(found?.to.piece);
    if (!found || last === undefined) return;
    const { from, to } = found;
    this.refusal = await this.#edit(
      spot,
      from.piece,
      (segment) => ({
        kind: 'replace_passage',
        segment,
        start: from.start,
        last,
        end: to.end,
        text: words,
      }),
      fieldLabel(spot),
      pasted,
    );
  }

  async #replacePending(
    range: OpenSelection,
    words: string,
    pending: Pending,
    pasted: PastedAs,
  ): Promise<void> {
    const from = Math.max(range.start - pending.at, 0);
    const to = Math.min(range.end - pending.at, pending.text.length);
    const waiting = pending.text.slice(0, from) + words + pending.text.slice(to);
    this.pending = undefined;
    this.selection = { start: pending.at, end: pending.at };
    // Of the white space that waited the prompt may hold less than was typed.
    if (waiting !== '')
      return this.#replace(this.selection, waiting, words.trim() === '' ? pasted : PASTED);
  }

  /** Splits the open entry at the caret; other text gets a line break. */
  enter(): Promise<void> {
    return this.#after(async () => {
      const { spot, selection } = this;
      if (!spot) return;
      if (spot.source?.entry === undefined) return this.replace(selection, '\n');
      if (selection.start !== selection.end && !(await this.#clear(selection))) return;
      this.refusal = await this.#split('');
    });
  }

  /** Splits the open entry at the caret, with lines between; the reason if that was refused. */
  async #split(lines: string): Promise<Failure | undefined> {
    const { spot, selection } = this;
    const found = spot && pieceRange(spot, selection.start, selection.start);
    if (!found) return { code: 'prompt_several', message: text.promptNoPlace };
    this.pending = undefined;
    return this.#edit(spot, found.piece, (segment) => ({
      kind: 'split',
      segment,
      at: found.start,
      lines,
    }));
  }

  /** Joins the open entry to the one before, or the next one to it. */
  join(next: boolean): Promise<void> {
    return this.#after(async () => {
      const spot = next ? this.#next() : this.spot;
      const piece = spot?.pieces[0];
      if (!spot || !piece || spot.source?.entry === undefined) {
        if (!next) this.refuse('prompt_glue', text.promptGlue);
        return;
      }
      this.refusal = await this.#edit(spot, piece, (segment) => ({ kind: 'join', segment }));
    });
  }

  #next(): Spot | undefined {
    const { index } = this;
    const rest = index ? this.#blocks[index.block]?.spots.slice(index.spot + 1) : undefined;
    return rest?.find((spot) => spot.source !== undefined);
  }

  /** One edit after the other: each is meant for the prompt that the one before made. */
  #after(edit: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#queue = this.#queue.then(edit).finally(() => (this.#waiting -= 1));
    return this.#queue;
  }

  /** Sends an edit; the reason if it was refused. */
  async #edit(
    spot: Spot,
    piece: Segment,
    edit: (segment: number) => PromptEdit,
    label = labelOf(spot, piece),
    pasted = TYPED,
  ): Promise<Failure | undefined> {
    const deck = this.#deck();
    const segment = this.#segmentOf(piece);
    if (!deck || segment === undefined) return undefined;
    this.#busy = true;
    const goOn = (change: Change) => this.#goOn(change);
    const refusal = await deck.editPrompt(edit(segment), label, pasted, goOn);
    this.#busy = false;
    return refusal;
  }

  /** Puts the caret where an edit left it. */
  #goOn({ caret }: Change): void {
    const segments = this.#preview.current?.segments;
    if (caret === undefined || !segments || !this.index) return;
    const open = this.spot;
    const same = open && spotKey(open) === this.#key ? caretIn(open, segments, caret) : undefined;
    const found =
      same === undefined
        ? spotAtCaret(this.#blocks, segments, caret)
        : { index: this.index, offset: same };
    if (!found) {
      this.#close();
      return;
    }
    const { index, offset } = found;
    this.pending = undefined;
    if (this.index.block !== index.block || this.index.spot !== index.spot) this.index = index;
    const spot = this.#spotAt(index);
    if (spot) {
      this.#key = spotKey(spot);
      this.#look(spot);
    }
    this.refusal = undefined;
    this.selection = { start: offset, end: offset };
  }
}

/** The undo label of a choice, as the card would have it. */
function choiceLabel({ kind, section, field, choices }: Alternatives, choice: number): string {
  const { mode, select } = text.undoLabels;
  return kind === 'items' ? select(section, choices[choice]?.name ?? '') : mode(section, field);
}

/** The undo label of an edit, as a field on a card would have it. */
function labelOf(spot: Spot, piece: Segment): string {
  const variable = piece.source?.variable;
  if (!spot.source || variable === undefined) return fieldLabel(spot);
  return text.undoLabels.variable(spot.source.section, variable);
}

function fieldLabel({ source }: Spot): string {
  if (!source) return '';
  return text.undoLabels.edit(`${source.section}.${source.item_name}.${source.field}`);
}
