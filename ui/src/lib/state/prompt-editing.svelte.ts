// The stretch of the prompt that is open for editing: its caret, what the prompt cannot hold yet,
// why an edit was refused. Edits are made by the core; this sends them, one after the other.
import type { Change, Failure, PromptEdit, Segment } from '../ipc';
import { samePlace, type Block, type Spot } from '../document/blocks';
import { pieceOf, variableOf, type CaretTarget, type Heading } from '../document/caret-target';
import {
  goesOn,
  isEditable,
  isSameIndex,
  isSameList,
  pieceRange,
  spotBeside,
  spotAfterEdit,
  spotFoundAgain,
  spotKey,
  spotText,
  startsOf,
  textPieces,
  wordsOf,
  type SpotIndex,
} from '../document/open-spot';
import { moveIn, movedWords } from '../document/moved-text';
import {
  leftPending,
  pendingWith,
  spaceBehind,
  withPending,
  type PendingSpace,
} from '../document/pending-space';
import { acrossEdit, moveEdit, passageEdit, passageOf } from '../document/passage';
import {
  carried,
  composed,
  selectionAfter,
  type OpenSelection,
  type TextRange,
} from '../document/replacement';
import type { characterBeside } from '../document/text-beside';
import { isTemplate } from '../document/registry';
import { findSpot, textPlaceOf, type TextPlace } from '../document/emptied-text';
import { undoneAt, type Printed } from '../document/undone-text';
import { text } from '../text';
import { CaretSide } from './caret-side.svelte';
import { CopiedText, PASTED, TYPED } from './copied-text';
import type { DeckState, PastedAs } from './deck.svelte';
import { EmptiedSpot } from './emptied-spot.svelte';
import { OpenOrigin } from './open-origin.svelte';
import { labelOf } from './prompt-edit-labels';
import { PromptEditQueue } from './prompt-edit-queue';
import { isUndoing } from './replica.svelte';
import { ReplacedSelections } from './replaced-selections';
import { RolledText } from './rolled-text.svelte';
import type { PreviewState } from './preview.svelte';

/** What an open stretch was when it was last looked at. */
interface Seen extends Printed {
  text: string;
  place: TextPlace | undefined;
}

export class PromptEditing {
  /** The open stretch. */
  index = $state.raw<SpotIndex | undefined>();
  selection = $state.raw<OpenSelection>({ start: 0, end: 0 });
  pending = $state.raw<PendingSpace | undefined>();
  /** A range of the prompt over several texts that is to be selected. */
  across = $state.raw<OpenSelection | undefined>();
  /** Why the last edit was refused, and where its text is made. */
  refusal = $state.raw<Failure | undefined>();
  /** Whether the last paste lost blank lines that no prompt has. */
  hasFewerBlankLines = $state(false);

  readonly #preview: PreviewState;
  readonly #deck: () => DeckState | null;
  #key = '';
  /** The prompt as it was last followed. */
  #followed: Printed = { prompt: [], blocks: [] };
  /** The open stretch, and its prompt when it was last looked at. */
  #seen: Seen = { text: '', place: undefined, prompt: [], blocks: [] };
  readonly #emptied: EmptiedSpot;
  /** Where the open text is written. */
  readonly origin: OpenOrigin;
  /** The edits on their way, and the keys that wait for them. */
  readonly queue: PromptEditQueue;
  readonly #copied = new CopiedText();
  readonly #replaced = new ReplacedSelections();
  readonly #rolled: RolledText;
  readonly #side = new CaretSide();

  constructor(preview: PreviewState, deck: () => DeckState | null) {
    this.#preview = preview;
    this.#deck = deck;
    this.queue = new PromptEditQueue(preview, deck);
    this.#rolled = new RolledText(this.queue, deck, (index) => this.#spotAt(index));
    this.#emptied = new EmptiedSpot(preview, deck);
    this.origin = new OpenOrigin(this, deck);
  }

  get #prompt(): readonly Segment[] {
    return this.#preview.current?.segments ?? [];
  }

  /** The rolled stretch whose alternatives are listed. */
  get rolled() {
    return this.#rolled.listed;
  }

  /** The blocks of the prompt, with the open text where it prints nothing. */
  get blocks(): Block[] {
    return this.#emptied.blocks;
  }

  readonly spot = $derived.by(() => this.#spotAt(this.index));
  /** What is typed into: where the caret is, or what is selected of one piece. */
  readonly target = $derived.by((): CaretTarget | undefined => {
    const { spot, selection, pending } = this;
    if (!spot) return undefined;
    return this.#side.targetOf(spot, pending ? { start: pending.at, end: pending.at } : selection);
  });
  /** The variable whose value is edited. */
  readonly variable = $derived(variableOf(this.target));

  /** The piece that is typed into. */
  get piece(): Segment | undefined {
    return this.target?.kind === 'piece' ? this.target.piece : undefined;
  }

  /** Whether texts meet at the caret, so that a letter belongs to one that the browser does not know. */
  get isBetweenTexts(): boolean {
    const { spot, pending, selection } = this;
    return pending !== undefined || (!!spot && this.#side.isBetween(spot, selection.start));
  }

  /** Steps into or out of a value at the caret, which stays; false where there is none on that side. */
  step(by: 1 | -1): boolean {
    const { spot, selection } = this;
    if (!spot || this.pending || selection.start !== selection.end) return false;
    if (!this.#side.step(spot, selection.start, by)) return false;
    this.refusal = undefined;
    return true;
  }

  /** Takes note that the pointer puts the caret somewhere, maybe where it is. */
  put(): void {
    this.#side.reset();
  }

  #spotAt(index: SpotIndex | undefined): Spot | undefined {
    return index && this.blocks[index.block]?.spots[index.spot];
  }

  /** The text of the open stretch as it is drawn. */
  get text(): string {
    return withPending(this.spot ? spotText(this.spot) : '', this.pending);
  }

  /** Opens a stretch, after the edits of the one before are made. */
  open(index: SpotIndex, selection: OpenSelection, heading: Heading = 0): void {
    void this.queue.next(() => this.#open(index, selection, heading));
  }

  #open(index: SpotIndex, selection: OpenSelection, heading: Heading = 0): void {
    const spot = this.#spotAt(index);
    if (!spot || !isEditable(spot)) return;
    if (!isSameIndex(this.index, index)) {
      this.pending = undefined;
      this.index = this.#withoutEmptied(index, spot);
    }
    this.refusal = undefined;
    this.#rolled.close();
    this.#key = spotKey(spot);
    this.#look(spot);
    this.select(selection);
    this.#side.arrive(spot, this.selection.start, heading);
  }

  /**
   * Lists what a roll could have printed in place of a stretch that was pressed at an offset; false
   * when it was not rolled.
   */
  async list(index: SpotIndex, offset: number): Promise<boolean> {
    const spot = this.#spotAt(index);
    const list = spot && (await this.#rolled.alternatives(spot));
    if (!list) return false;
    await this.settled();
    const at = this.#withoutEmptied(index, spot);
    // At once, so that nothing is drawn with neither open.
    this.#close();
    this.#rolled.list(at, spot, offset, list);
    return true;
  }

  /** Sets another entry or item in place of the rolled one. */
  choose(choice: number): Promise<void> {
    return this.queue.edit(async () => {
      this.refusal = (await this.#rolled.choose(choice)) ?? this.refusal;
    });
  }

  /** Takes note of what the open stretch shows. */
  #look(spot: Spot): void {
    if (!spot.emptied) this.#emptied.close();
    this.#seen = {
      text: spotText(spot),
      place: spot.emptied
        ? this.#emptied.place
        : this.index && textPlaceOf(this.blocks, this.index),
      prompt: this.#prompt,
      blocks: this.#preview.blocks,
    };
  }

  /** The index of a stretch once an emptied one is closed that is another. */
  #withoutEmptied(index: SpotIndex, spot: Spot): SpotIndex {
    if (!this.#emptied.place || spot.emptied) return index;
    this.#emptied.close();
    return findSpot(this.blocks, (each) => each === spot) ?? index;
  }

  /** Takes note of the selection; white space that waits is dropped once the caret leaves it. */
  select(selection: OpenSelection, heading: Heading = 0): void {
    const { start, end, backward } = this.selection;
    const isSame =
      start === selection.start && end === selection.end && backward === selection.backward;
    if (!isSame) {
      this.selection = selection;
      this.refusal = undefined;
      this.hasFewerBlankLines = false;
      if (this.spot && !this.pending) this.#side.arrive(this.spot, selection.start, heading);
    }
    const left = this.pending && leftPending(this.pending, selection);
    if (!left) return;
    this.pending = undefined;
    this.selection = left;
  }

  /** Closes the open stretch, after what was typed into it is made: it is meant for no other. */
  close(): Promise<void> {
    return this.queue.next(() => this.#close());
  }

  /** Takes note of a selection in the text as it is drawn, after what was typed before it is made. */
  selectDrawn(drawn: string, selection: OpenSelection, heading: Heading = 0): void {
    void this.queue.next(() => this.select(carried(selection, drawn, this.text), heading));
  }

  /** Whether the prompt is rendered with arguments: the core edits only texts that print as written. */
  get isRendered(): boolean {
    return isTemplate(this.#deck()?.registry ?? {});
  }

  /** Waits until what was typed is made. */
  settled(): Promise<void> {
    return this.queue.settled();
  }

  /** Closes the open stretch and selects a range of the prompt, once what was typed is made. */
  selectAcross(rangeIn: () => OpenSelection | undefined): void {
    void this.queue.next(() => {
      const range = rangeIn();
      if (range) this.#close(range);
    });
  }

  /** Closes the open stretch; `across` is selected then. */
  #close(across?: OpenSelection): void {
    this.#emptied.close();
    this.across = across;
    this.index = undefined;
    this.#rolled.close();
    this.pending = undefined;
    this.refusal = undefined;
    this.hasFewerBlankLines = false;
  }

  refuse(code: string, message: string): void {
    this.refusal = { code, message };
  }

  /**
   * Follows the open stretch through a change that was not made here; closes it when it is gone. Where several
   * stretches are selected, their texts may be drawn anew: an undo leads to what it changed.
   */
  follow(isSelected: () => boolean = () => false): void {
    this.#rolled.follow();
    const before = this.#followed;
    this.#followed = { prompt: this.#prompt, blocks: this.#preview.blocks };
    if (!this.index && isUndoing() && isSelected()) return this.#followSelected(before);
    if (!this.index || !this.#key || this.queue.isSending) return;
    const seen = this.#seen;
    const { spot } = this;
    const segments = this.#prompt;
    const across = isUndoing() ? this.#replaced.restored(seen.prompt, segments) : undefined;
    if (across) return this.#close(across);
    const isHere = spot !== undefined && spotKey(spot) === this.#key;
    const keepsPlace = isHere && segments.length === seen.prompt.length;
    const isOwn = keepsPlace && spotText(spot) !== seen.text;
    const isMeant = (each: Spot) =>
      spotKey(each) === this.#key || isSameList(each.source, seen.place?.source);
    const undone =
      isUndoing() && !isOwn
        ? undoneAt(seen, { prompt: segments, blocks: this.blocks }, isMeant)
        : undefined;
    if (undone) this.#open(undone.index, { start: undone.offset, end: undone.offset });
    else if (keepsPlace) this.#stayIn(this.index, spot);
    else this.#followText();
  }

  #followSelected(before: Printed): void {
    const across = this.#replaced.restored(before.prompt, this.#prompt);
    if (across) return this.#close(across);
    const undone = undoneAt(before, this.#followed, () => true);
    if (undone) this.#open(undone.index, { start: undone.offset, end: undone.offset });
  }

  /** Keeps the caret where it was in the open text, or puts it behind what was changed there. */
  #stayIn(index: SpotIndex, spot: Spot): void {
    const { text: before } = this.#seen;
    const selection = selectionAfter(before, spotText(spot), this.selection, isUndoing());
    if (before !== spotText(spot)) {
      this.#side.reset();
      // It was typed beside other words.
      this.pending = undefined;
    }
    if (!isSameIndex(this.index, index)) this.index = index;
    this.#look(spot);
    this.selection = selection;
  }

  /** Finds the open text again after stretches came or went. */
  #followText(): void {
    const { place, text: words } = this.#seen;
    const found = spotFoundAgain(this.blocks, this.#key, place?.source, words);
    const spot = this.#spotAt(found);
    if (!found || !spot) return this.#lose();
    this.#key = spotKey(spot);
    this.#stayIn(found, spot);
  }

  /** The open text is not printed any more: it stays open if it was emptied. */
  #lose(): void {
    if (!this.#goOnEmptied()) this.#close();
  }

  /** Keeps the open text open when it prints nothing; false when it was not emptied. */
  #goOnEmptied(variable?: string): boolean {
    const index = this.#emptied.open(this.#seen.place, variable);
    if (index) this.#arrive(index, 0, undefined);
    return index !== undefined;
  }

  /** Opens the text of an assembly that prints nothing. */
  begin(place: TextPlace): boolean {
    const index = this.#emptied.begin(place);
    if (index) this.#open(index, { start: 0, end: 0 });
    return index !== undefined;
  }

  /** Types over the selection. */
  type(words: string): Promise<void> {
    return this.queue.edit(() => this.#write(this.selection, words));
  }

  /** Takes note of a text that goes to the clipboard, to be pasted with the names of its variables. */
  copied(range: TextRange): void {
    if (this.spot) this.#copied.take(this.spot, range, this.text);
  }

  /** Pastes over the selection; lines that are pasted into an entry of a list become entries. */
  paste(words: string): Promise<void> {
    return this.queue.edit(async () => {
      if (this.spot?.source?.entry !== undefined && words.includes('\n')) {
        if (!(await this.#clear(this.selection))) return;
        // A rolled list or a value takes them as one text.
        if (!(await this.#split(words))) return;
      }
      await this.#write(this.selection, words, this.#copied.pasted(words, this.spot));
    });
  }

  /**
   * Makes what an input method wrote over a text, which edits may have changed since it began. Where they were on
   * their way then, they say where the caret was.
   */
  compose(before: string, after: string, begun: OpenSelection, wasIdle: boolean): Promise<void> {
    const { start, end, text: words } = composed(before, after, begun);
    if (start === end && words === '') return this.settled();
    const isAtCaret = !wasIdle && begun.start === begun.end;
    return this.queue.edit(() =>
      this.#write(isAtCaret ? this.selection : carried({ start, end }, before, this.text), words),
    );
  }

  /** Deletes a range, which is asked for when the edits before it are made. */
  delete(rangeIn: (text: string, selection: OpenSelection) => OpenSelection): Promise<void> {
    return this.queue.edit(async () => {
      await this.#clear(rangeIn(this.text, this.selection));
    });
  }

  /** Moves a range of the open text to an offset of it, where it stays selected. */
  move(from: TextRange, to: number): Promise<void> {
    return this.queue.edit(async () => {
      const { spot } = this;
      const moved = moveIn(this.text, from, to);
      if (!spot || !moved) return;
      const before = this.text;
      if (pieceRange(spot, moved.start, moved.end)) {
        await this.replace(moved, moved.text, PASTED);
      } else {
        await this.#editPieces(spot, moveEdit(spot, this.#prompt, from, to), PASTED);
      }
      if (!this.refusal) this.selection = movedWords(before, this.text, from, moved);
    });
  }

  /** Puts a range of the prompt into another text: words that are moved or copied, and stay selected there. */
  drop(range: TextRange, index: SpotIndex, offset: number, isCopy: boolean): Promise<void> {
    const wordsAt = () => wordsOf(this.#prompt).slice(range.start, range.end);
    const words = wordsAt();
    return this.queue.edit(async () => {
      const found = passageOf(this.#prompt, range);
      if (!found || words.trim() === '' || wordsAt() !== words) return;
      const copied = new CopiedText();
      const first = this.spot && textPieces(this.spot)[0];
      const at = first && startsOf(this.#prompt).get(first);
      if (this.spot && at !== undefined)
        copied.take(this.spot, { start: range.start - at, end: range.end - at }, this.text);
      const pasted = copied.pasted(words, this.#spotAt(index));
      const moved: PastedAs = isCopy ? pasted : { ...pasted, moved: found };
      this.#open(index, { start: offset, end: offset });
      const isList = this.spot?.source?.entry !== undefined && words.includes('\n');
      if (isList && !(await this.#split(words, moved))) return;
      await this.#replace(this.selection, words, moved);
      const { text: after, selection } = this;
      const start = after.lastIndexOf(words.trim(), selection.start);
      if (!this.refusal && start >= 0) this.selection = { start, end: selection.start };
    });
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

  /** Replaces a range by words, of which the white space at the end waits where the prompt cannot hold it. */
  async #write(range: OpenSelection, words: string, pasted = TYPED): Promise<void> {
    const isPart = words.trim() !== '' && words !== words.trimEnd();
    const wasEmptied = this.spot?.emptied;
    await this.replace(range, words, isPart && !pasted.pasted ? PASTED : pasted);
    if (!wasEmptied) this.#waitBehind(words);
  }

  #waitBehind(words: string): void {
    const { start } = this.selection;
    const space = spaceBehind(words, this.text.slice(0, start));
    if (space !== '' && this.spot && !this.refusal) this.#wait(start, space);
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
    if (spot.emptied) return this.#writeFirst(spot, pasted.written ?? words, pasted);
    const target = this.#side.targetOf(spot, range);
    if (!target) {
      return this.#editPieces(spot, passageEdit(spot, this.#prompt, range, words), pasted);
    }
    const size = range.end - range.start;
    const refusal = await this.#edit(
      spot,
      pieceOf(target),
      (segment) =>
        target.kind === 'beside'
          ? { kind: 'beside', segment, after: target.after, text: words }
          : { kind: 'replace', segment, start: target.at, end: target.at + size, text: words },
      pasted,
    );
    if (refusal?.code === 'prompt_whitespace' && size === 0 && words.trim() === '') {
      this.#wait(range.start, words);
    } else {
      // A value can't be empty: what is typed next takes the place of its last letters.
      if (refusal?.code === 'prompt_default_value' && words === '') {
        this.selection = { start: range.start, end: range.end };
      }
      this.refusal = refusal;
    }
  }

  /** Writes the first words of a text that prints nothing; white space around them waits. */
  async #writeFirst(spot: Spot, words: string, { pasted }: PastedAs): Promise<void> {
    const entries = pasted ? this.#emptied.entriesOf(words) : undefined;
    let end = 0;
    if (words.trim() !== '') {
      const variable = spot.source?.variable;
      const found = await this.queue.whileSending(() =>
        this.#emptied.write(entries ?? [words.trim()], labelOf(spot, variable)),
      );
      if (!found) return this.#close();
      end = found.offset;
      this.#arrive(found.index, end, variable);
    }
    const space = entries ? '' : words.slice(words.trimEnd().length);
    if (space !== '') this.#wait(end, space);
  }

  /** Deletes a range, if it has letters; false when that was refused. */
  async #clear(range: OpenSelection): Promise<boolean> {
    if (range.start === range.end) return true;
    this.refusal = undefined;
    await this.replace(range, '');
    return this.refusal === undefined;
  }

  /** Sends an edit of several pieces of a stretch, with the variables inside it. */
  async #editPieces(spot: Spot, edit: PromptEdit | undefined, pasted: PastedAs): Promise<void> {
    const [piece] = textPieces(spot);
    if (edit && piece) this.refusal = await this.#edit(spot, piece, () => edit, pasted);
  }

  /** Replaces a range over several texts, of which none is open; opens the text where it began. */
  replaceAcross(range: TextRange, words: string): Promise<void> {
    return this.queue.edit(async () => {
      const prompt = this.#prompt;
      const found = acrossEdit(this.blocks, prompt, range, words);
      if (!found) return this.refuse('prompt_glue', text.promptGlue);
      this.#seen = { text: '', place: found.place, prompt, blocks: this.#preview.blocks };
      this.refusal = await this.#edit(found.spot, found.piece, () => found.edit, PASTED);
      if (this.refusal) return;
      this.#replaced.record(range, prompt, this.#prompt);
      this.#waitBehind(words);
    });
  }

  async #replacePending(
    range: OpenSelection,
    words: string,
    pending: PendingSpace,
    pasted: PastedAs,
  ): Promise<void> {
    const waiting = pendingWith(pending, range, words);
    this.pending = undefined;
    this.selection = { start: pending.at, end: pending.at };
    // Of the white space that waited the prompt may hold less than was typed.
    if (waiting !== '')
      return this.#replace(this.selection, waiting, words.trim() === '' ? pasted : PASTED);
  }

  /**
   * Splits the open entry at the caret; other text gets a line break, and so does the middle of a value. At
   * the edge of a value the break is in the text which names the variable, as that of an entry is.
   */
  enter(): Promise<void> {
    return this.queue.edit(async () => {
      const { spot, selection } = this;
      if (!spot) return;
      if (spot.source?.entry === undefined) {
        const { variable } = this;
        const at = this.pending?.at ?? selection.start;
        const isCaret = this.pending !== undefined || selection.start === selection.end;
        if (variable !== undefined && isCaret) this.#side.leaveValue(spot, at);
        return this.replace(selection, '\n');
      }
      if (!(await this.#clear(selection))) return;
      this.refusal = await this.#split('');
    });
  }

  /** Splits the open entry at the caret, with lines between; the reason if that was refused. */
  async #split(lines: string, pasted?: PastedAs): Promise<Failure | undefined> {
    const { spot, target } = this;
    if (!spot || !target) return { code: 'prompt_no_entry', message: text.promptNoPlace };
    this.pending = undefined;
    return this.#edit(
      spot,
      pieceOf(target),
      (segment) =>
        target.kind === 'beside'
          ? { kind: 'split_beside', segment, after: target.after, lines }
          : { kind: 'split', segment, at: target.at, lines },
      pasted,
    );
  }

  /**
   * Deletes what is selected, or what a key finds beside the caret; at an edge of the open entry joins it to
   * the one there. Where the caret is, the edits before it say.
   */
  deleteBeside(next: boolean, beside: typeof characterBeside): Promise<void> {
    return this.queue.edit(async () => {
      const { selection, text: words } = this;
      const { start, end } = selection;
      if (start !== end) await this.#clear(selection);
      else if (start === (next ? words.length : 0)) await this.#join(next);
      else await this.#clear(beside(words, start, next));
    });
  }

  async #join(next: boolean): Promise<void> {
    const beside = this.index && spotBeside(this.blocks, this.index, next);
    if (this.spot?.emptied) return;
    const gap = this.spot?.gap ?? beside?.gap;
    if (gap !== undefined && samePlace(this.spot?.source, beside?.source))
      return this.refuse('prompt_gap', text.promptGap(gap));
    const spot = next ? beside : this.spot;
    const piece = spot?.pieces[0];
    if (!spot || !piece || spot.source?.entry === undefined) {
      // Behind the end of the prompt there is nothing to delete.
      if (!next || (this.index && goesOn(this.blocks, this.index)))
        this.refuse('prompt_glue', text.promptGlue);
      return;
    }
    this.refusal = await this.#edit(spot, piece, (segment) => ({ kind: 'join', segment }));
  }

  /** Sends an edit; the reason if it was refused. */
  #edit(
    spot: Spot,
    piece: Segment,
    editAt: (segment: number) => PromptEdit,
    pasted?: PastedAs,
  ): Promise<Failure | undefined> {
    return this.queue.send(spot, piece, editAt, { pasted, goOn: this.#goOn });
  }

  /** Puts the caret where an edit left it, into the value that was edited or into a text. */
  readonly #goOn = (
    { caret, caret_behind: behind, fewer_blank_lines }: Change,
    { kind }: PromptEdit,
    variable: string | undefined,
  ): void => {
    const segments = this.#preview.current?.segments;
    this.hasFewerBlankLines = fewer_blank_lines === true;
    if (caret === undefined || !segments) return;
    // A join leaves the entry before, which has letters.
    if (kind !== 'join' && this.#goOnEmptied(variable)) return;
    const open = this.spot && spotKey(this.spot) === this.#key ? this.index : undefined;
    const found = spotAfterEdit(this.blocks, segments, caret, open, { variable, behind });
    if (found) this.#arrive(found.index, found.offset, variable);
    else this.#close();
  };

  #arrive(index: SpotIndex, offset: number, variable: string | undefined): void {
    this.pending = undefined;
    if (!isSameIndex(this.index, index)) this.index = index;
    const spot = this.#spotAt(index);
    if (spot) {
      this.#key = spotKey(spot);
      this.#look(spot);
      this.#side.stay(spot, offset, variable);
    }
    this.refusal = undefined;
    this.selection = { start: offset, end: offset };
  }
}
