// What presses of the mouse in the prompt do: they open what they hit for editing, or lead to its
// field.
import { pieceRange, textPieces, type PieceRange, type SpotIndex } from '$lib/document/open-spot';
import type { Spot } from '$lib/document/blocks';
import type { Place } from '$lib/document/place';
import { SpotElements, elementOf, indexOf } from './spot-elements';
import type { SpotDrag } from './spot-drag';
import type { SpotOpener } from './spot-opener';
import type { SpotSelection } from './spot-selection';

/** What is selected; undefined for a caret. */
function selectedRange(): Range | undefined {
  const selection = getSelection();
  return selection?.isCollapsed === false ? selection.getRangeAt(0).cloneRange() : undefined;
}

/** The end of a stretch. */
function lastPiece(spot: Spot): PieceRange | undefined {
  const piece = textPieces(spot).at(-1);
  return piece && { piece, start: piece.text.length, end: piece.text.length };
}

const isOpen = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.open') !== null;

/** Whether a piece that can't be edited is what is selected. */
const isSelectedFixed = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('.open .fixed')?.textContent === getSelection()?.toString();

export class SpotPresses {
  /** What was selected when the button went down. */
  #before: Range | undefined;

  constructor(
    private readonly elements: SpotElements,
    private readonly opener: SpotOpener,
    private readonly selection: SpotSelection,
    private readonly drag: SpotDrag,
    private readonly ongo: (place: Place, words?: string, offset?: number) => void,
    /** Leads to what gives an expression its value; false if that is not known. */
    private readonly onmissing: (expression: string) => boolean,
  ) {}

  /** Puts the caret into the line that was pressed beside its text; gives what that opens. */
  #beside(event: MouseEvent): SpotIndex | undefined {
    const target = this.elements.elementBefore(event);
    const index = indexOf(target);
    if (!target || !index) return undefined;
    const offset = this.elements.offsetAt(target, event) ?? Infinity;
    const field = target.querySelector<HTMLElement>('.open');
    field?.focus({ preventScroll: true });
    const isOpened = field ? this.opener.open(index, offset) : this.opener.press(index, offset);
    return isOpened ? index : undefined;
  }

  /** A press beside a text while one is open; false when it is the browser's. */
  #pressBeside(event: MouseEvent): boolean {
    if (!this.opener.isOpen || elementOf(event.target)) return false;
    const index = this.#beside(event);
    if (index && event.detail === 1) this.drag.beginAt(index);
    return index !== undefined;
  }

  /** Whether a press hit what was selected: the browser drops that selection only after the click. */
  #isOnSelected({ detail, shiftKey }: MouseEvent): boolean {
    const [before, now] = [this.#before, selectedRange()];
    if (detail !== 1 || shiftKey || !before || !now) return false;
    return (
      before.startContainer === now.startContainer &&
      before.startOffset === now.startOffset &&
      before.endContainer === now.endContainer &&
      before.endOffset === now.endOffset
    );
  }

  /** An open text keeps the focus when the empty part beside a text is pressed. */
  mousedown(event: MouseEvent): void {
    // Else the browser would drop the selection of a number after the click that selects it.
    if (isSelectedFixed(event.target)) getSelection()?.collapseToStart();
    this.#before = selectedRange();
    if (event.button !== 0) return;
    if (this.drag.press(event) || this.#pressBeside(event)) event.preventDefault();
  }

  /**
   * Ends a selection that was dragged out of the open text, or out of the prompt: no click follows where the field
   * is gone, or outside of the prompt.
   */
  released(event: MouseEvent): void {
    if (!this.drag.release(event)) return;
    const selection = getSelection();
    if (selection && this.elements.isSelectedAcross()) this.#leaveFor(selection);
    else this.selection.settle();
  }

  /** A press that selected nothing opens what it hit; one that selected within a stretch opens that. */
  click(event: MouseEvent): void {
    if (this.drag.isLeaving) return;
    const selection = getSelection();
    if (!isOpen(event.target) && this.#isOnSelected(event)) selection?.removeAllRanges();
    const selected = selection?.isCollapsed === false;
    if (!elementOf(event.target) && !selected) {
      this.#beside(event);
      return;
    }
    // Between two stretches the press hits neither of them, but what holds both.
    if (selection && this.elements.isSelectedAcross()) {
      this.#leaveFor(selection);
      return;
    }
    const target = elementOf(event.target) ?? this.elements.elementBefore(event);
    const index = indexOf(target);
    const place = this.opener.placeAt(target);
    if (!target || !index || !place) return;
    const fixed = selected ? undefined : this.elements.fixedAt(target, event);
    if (target.querySelector('.open')) {
      if (fixed) this.opener.open(index, fixed.start, fixed.end);
      return;
    }
    if (event.ctrlKey) this.ongo(place);
    else if (selection && selected) this.#openSelected(selection.getRangeAt(0));
    else if (!fixed || !this.opener.press(index, fixed.start, fixed.end))
      this.#press(index, this.elements.offsetAt(target, event) ?? 0, place);
  }

  /** Opens a stretch, or leads to its field and to its words there. */
  #press(index: SpotIndex, offset: number, place: Place): void {
    if (this.opener.press(index, offset)) return;
    const spot = this.elements.spot(index);
    if (spot?.expression !== undefined) {
      const isGap = spot.gap !== undefined;
      if (!isGap || !this.onmissing(spot.expression)) this.ongo(place, spot.expression, 0);
      return;
    }
    const pressed = spot && (pieceRange(spot, offset, offset) ?? lastPiece(spot));
    const { piece, start } = pressed ?? {};
    const source = piece?.source;
    if (source?.variable === undefined) this.ongo(place, piece?.text, start);
    else this.ongo(this.opener.placeOf({ source, gap: source.variable, pieces: [] }));
  }

  /** Closes the open stretch: no key is meant for it while others are selected. */
  #leaveFor(selection: Selection): void {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    this.opener.close();
    // A selection that ends between two stretches has none there.
    const target = elementOf(focusNode) ?? elementOf(anchorNode);
    target?.focus({ preventScroll: true });
    // WebKit drops the selection when the focus leaves a field.
    if (anchorNode && focusNode) {
      selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    }
  }

  /** Opens the stretch that holds all of a selection. */
  #openSelected(range: Range): void {
    const [from, to] = [elementOf(range.startContainer), elementOf(range.endContainer)];
    const hit = indexOf(from);
    if (from === null || from !== to || !hit) return;
    const start = this.elements.offsetIn(from, range.startContainer, range.startOffset);
    const end = this.elements.offsetIn(from, range.endContainer, range.endOffset);
    this.opener.open(hit, start, end);
  }
}
