// Selecting beyond the open text of the prompt: into the text beside it, and over variables without a value, which
// cut a text into several stretches. While several stretches are selected none is open (see across-keys.ts); one
// that contains all of the selection is opened. Keys do so here, the pointer in spot-drag.ts.
import { tick } from 'svelte';
import { samePlace, type Block } from '$lib/document/blocks';
import { spotText, startsOf, textPieces, type SpotIndex } from '$lib/document/open-spot';
import type { OpenSelection } from '$lib/document/replacement';
import type { Segment } from '$lib/ipc';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { scrollToCaret } from '$lib/window/scroll-to';
import { offsetOf } from '$lib/window/text-offsets';
import { indexOf, elementOf, type SpotElements } from './spot-elements';
import type { SpotOpener } from './spot-opener';

interface Ports {
  holder: () => HTMLElement | undefined;
  blocks: () => readonly Block[];
  segments: () => readonly Segment[];
  elements: SpotElements;
  editing: PromptEditing;
  opener: SpotOpener;
}

/** How a key with Shift moves the end of a selection. */
interface Extension {
  by: 1 | -1;
  unit: 'character' | 'word' | 'line' | 'lineboundary' | 'prompt';
}

function extensionOf(event: KeyboardEvent): Extension | undefined {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
  if (!shiftKey || altKey || metaKey) return undefined;
  const by = /^(ArrowRight|ArrowDown|End)$/.test(key) ? 1 : -1;
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return { by, unit: ctrlKey ? 'word' : 'character' };
  if (ctrlKey) return key === 'Home' || key === 'End' ? { by, unit: 'prompt' } : undefined;
  if (key === 'ArrowUp' || key === 'ArrowDown') return { by, unit: 'line' };
  return key === 'Home' || key === 'End' ? { by, unit: 'lineboundary' } : undefined;
}

/** More characters than a bullet has. */
const LONGEST_BULLET = 16;

/** Whether the selection ends before or within a bullet. */
function isInBullet({ focusNode, focusOffset }: Selection): boolean {
  const within = focusNode instanceof Element ? focusNode : focusNode?.parentElement;
  const block = within?.closest<HTMLElement>('.block');
  if (!focusNode || !block) return false;
  const at = offsetOf(block, focusNode, focusOffset);
  return [...block.querySelectorAll<HTMLElement>('.bullet')].some((bullet) => {
    const start = offsetOf(block, bullet, 0);
    return start <= at && at < start + bullet.textContent.length;
  });
}

export class SpotSelection {
  readonly #ports: Ports;
  /** Extends the selection once the open text has been closed and drawn as selected; true if it goes on. */
  #extendDrawn: (() => boolean) | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Selects all of the open text over its variables without a value, then all of the prompt; false where
   * that is what the browser selects.
   */
  selectAll({ key, ctrlKey, altKey, shiftKey, metaKey }: KeyboardEvent): boolean {
    if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || altKey || shiftKey) return false;
    const { editing } = this.#ports;
    const { index, selection, text } = editing;
    if (!index) return false;
    const isOne = this.#partsOf(index).every((part) => part === editing.spot);
    if (!isOne) editing.selectAcross(() => editing.index && this.#rangeOfText(editing.index));
    else if (selection.start === 0 && selection.end === text.length) void this.#selectPrompt(index);
    else return false;
    return true;
  }

  async #selectPrompt(index: SpotIndex): Promise<void> {
    const { holder, elements, editing } = this.#ports;
    await editing.close();
    await tick();
    (elements.element(index) ?? elements.element(undefined))?.focus({ preventScroll: true });
    const prompt = holder();
    if (prompt) getSelection()?.selectAllChildren(prompt);
  }

  /** The stretches with letters that variables without a value cut a text into. */
  #partsOf({ block, spot }: SpotIndex) {
    const spots = this.#ports.blocks()[block]?.spots ?? [];
    const isSame = (at: number) => samePlace(spots[at]?.source, spots[spot]?.source);
    let [first, end] = [spot, spot + 1];
    while (first > 0 && isSame(first - 1)) first -= 1;
    while (end < spots.length && isSame(end)) end += 1;
    return spots.slice(first, end).filter((each) => spotText(each) !== '');
  }

  #rangeOfText(index: SpotIndex): OpenSelection | undefined {
    const starts = startsOf(this.#ports.segments());
    const pieces = this.#partsOf(index).flatMap(textPieces);
    const [first, last] = [pieces[0], pieces.at(-1)];
    const [start, end] = [first && starts.get(first), last && starts.get(last)];
    if (!last || start === undefined || end === undefined) return undefined;
    return { start, end: end + last.text.length };
  }

  /** Extends the selection of the open text beyond it; false while it stays within the text. */
  leaveBy(event: KeyboardEvent): boolean {
    const { editing, elements } = this.#ports;
    const extension = extensionOf(event);
    const { index, selection, text } = editing;
    if (!extension || !index || !this.rangeOfOpen()) return false;
    const { by, unit } = extension;
    const end = selection.backward ? selection.start : selection.end;
    const isLeft =
      unit === 'prompt' ||
      (unit === 'lineboundary' ? elements.lineEnd(by) : end === (by > 0 ? text.length : 0));
    if (!isLeft || !this.#goesOn(index, by)) return false;
    return this.leave(() => {
      this.#extend(extension);
      return false;
    });
  }

  /**
   * Closes the open text, what is selected of it to be extended then; false where it prints nothing. `extend`
   * returns true when the selection is not at its end then.
   */
  leave(extend: () => boolean): boolean {
    if (!this.rangeOfOpen()) return false;
    this.#ports.editing.selectAcross(() => {
      const range = this.rangeOfOpen();
      // Without one nothing is drawn that could be extended.
      if (range) this.#extendDrawn = extend;
      return range;
    });
    return true;
  }

  /** Extends the selection of the open text to an offset of it. */
  extendTo(offset: number): boolean {
    const { editing, opener } = this.#ports;
    const { index, selection } = editing;
    const anchor = selection.backward ? selection.end : selection.start;
    const [start, end] = [Math.min(anchor, offset), Math.max(anchor, offset)];
    return index !== undefined && opener.open(index, start, end, 0, offset < anchor);
  }

  #goesOn({ block, spot }: SpotIndex, by: 1 | -1): boolean {
    const blocks = this.#ports.blocks();
    const rest =
      by > 0 ? blocks[block]?.spots.slice(spot + 1) : blocks[block]?.spots.slice(0, spot);
    const others = by > 0 ? blocks.slice(block + 1) : blocks.slice(0, block);
    return others.length > 0 || (rest ?? []).some(({ source }) => source !== undefined);
  }

  /** The selection of the open text as a range of the prompt, without white space that is typed but not
      printed yet. */
  rangeOfOpen(): OpenSelection | undefined {
    const { spot, selection } = this.#ports.editing;
    const bullet = spot?.pieces.find((piece) => piece.bullet);
    const first = spot && (textPieces(spot)[0] ?? spot.edge?.variable ?? bullet);
    const start = first && startsOf(this.#ports.segments()).get(first);
    if (spot && !first) return this.#rangeOfEmpty();
    if (!spot || !first || start === undefined) return undefined;
    const from = start + (first === bullet ? first.text.length : 0);
    const at = (offset: number) => from + Math.min(offset, spotText(spot).length);
    return { ...selection, start: at(selection.start), end: at(selection.end) };
  }

  /** Where the open text would be printed, of which no letter is: behind what is printed before it. */
  #rangeOfEmpty(): OpenSelection | undefined {
    const { editing } = this.#ports;
    const { index } = editing;
    if (!index) return undefined;
    const starts = startsOf(this.#ports.segments());
    const before = editing.blocks
      .slice(0, index.block + 1)
      .flatMap(({ spots }, block) => (block === index.block ? spots.slice(0, index.spot) : spots))
      .flatMap(({ pieces }) => pieces);
    const last = before.findLast((piece) => starts.has(piece));
    const at = last ? (starts.get(last) ?? 0) + last.text.length : 0;
    return { start: at, end: at };
  }

  /** Goes on with a selection that was just drawn. */
  drawn(): void {
    const extend = this.#extendDrawn;
    this.#extendDrawn = undefined;
    const goesOn = extend?.() ?? false;
    if (!goesOn) this.settle();
  }

  /** Extends a selection over several texts by a key. */
  extend(event: KeyboardEvent): boolean {
    const extension = extensionOf(event);
    if (!extension) return false;
    this.#extend(extension);
    this.settle();
    return true;
  }

  #extend({ by, unit }: Extension): void {
    const holder = this.#ports.holder();
    const selection = getSelection();
    if (!holder || !selection) return;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    const direction = by > 0 ? 'forward' : 'backward';
    if (unit === 'prompt') {
      const edge = this.#ports.elements.edge(by);
      if (edge) selection.extend(...edge);
    } else selection.modify('extend', direction, unit);
    // A bullet is no text: the end of the selection goes past it with the line break before it.
    const isStep = unit === 'character' || unit === 'word';
    for (let step = 0; isStep && step < LONGEST_BULLET && isInBullet(selection); step += 1)
      selection.modify('extend', direction, 'character');
    if (holder.contains(selection.focusNode)) {
      const [scroller, box] = [holder.closest('.scroll'), this.#ports.elements.caretBox()];
      if (scroller && box) scrollToCaret(scroller, box);
    } else if (anchorNode && focusNode) {
      selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    }
  }

  /** Opens the text that holds all of the selection. */
  settle(): void {
    const { elements, opener } = this.#ports;
    const selection = getSelection();
    if (!selection || selection.rangeCount === 0 || elements.isSelectedAcross()) return;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const element = elementOf(startContainer);
    const index = indexOf(element);
    if (!element || !index || element !== elementOf(endContainer)) return;
    const start = elements.offsetIn(element, startContainer, startOffset);
    const end = elements.offsetIn(element, endContainer, endOffset);
    const isBackward =
      selection.focusNode === startContainer && selection.focusOffset === startOffset;
    opener.open(index, start, end, 0, isBackward && start < end);
  }
}
