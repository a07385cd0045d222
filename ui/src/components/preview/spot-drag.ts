// Selecting with the pointer in the prompt, by a drag or a press with Shift. The browser keeps a selection that begins
// in a field within it: the field is closed once the pointer is elsewhere, and the selection goes on from where it
// began. Outside of the prompt the browser selects what is there; the selection ends at what is nearest in the prompt.
// One over several texts it drops at a press with Shift, which moves the focus.
import { isSameIndex, type SpotIndex } from '$lib/document/open-spot';
import type { OpenSelection } from '$lib/document/replacement';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { selectionIn } from '$lib/window/text-offsets';
import { scrollAtEdges } from '../primitives/edge-scroll';
import { elementOf, indexOf, type Pointed, type SpotElements } from './spot-elements';
import type { SpotSelection } from './spot-selection';

interface Ports {
  elements: SpotElements;
  editing: PromptEditing;
  selection: SpotSelection;
}

/** Whether a selection can begin at what was pressed. */
const isLetters = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('.block') !== null &&
  target.closest('.gap, .edge, .alternatives') === null;

export class SpotDrag {
  readonly #ports: Ports;
  #isDown = false;
  /** Where the selection ends: in the open text, elsewhere once that is closed, or elsewhere; or it begins where none
      is open. */
  #end: 'within' | 'leaving' | 'across' | 'begun' | undefined;
  /** Whether the selection began where no text was open. */
  #isBegun = false;
  /** The text that a press beside it put the caret into. */
  #begunAt: SpotIndex | undefined;
  /** Where the open text was pressed, and what it was: an edit that is on its way would move the caret. */
  #pressed: { drawn: string; selection: OpenSelection } | undefined;
  /** Where the pointer was last. */
  #last: Pointed | undefined;
  /** Ends what is done with each frame. */
  #endWatch: (() => void) | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Whether the selection waits for what was typed before. */
  get isLeaving(): boolean {
    return this.#end === 'leaving';
  }

  /** The primary button went down; true when that extends a selection as the browser would not. */
  press(event: MouseEvent): boolean {
    this.#forget();
    this.#isDown = true;
    const { elements, editing } = this.#ports;
    const { field } = elements;
    if (!field?.contains(event.target as Node)) {
      if (event.shiftKey) return this.#extend(event);
      if (!field && event.detail === 1 && isLetters(event.target)) this.#end = 'begun';
      return false;
    }
    // Others go on from the selection that was, or select a word.
    const putsCaret = event.detail === 1 && !event.shiftKey;
    // A press on selected words drags these.
    if (putsCaret && elements.isSelected(event)) return false;
    this.#end = 'within';
    const spot = elementOf(field);
    const at = putsCaret && spot ? elements.offsetAt(spot, event) : undefined;
    if (at === undefined) return false;
    this.#pressed = { drawn: field.textContent, selection: { start: at, end: at } };
    // The caret of an edit on its way would take the place of that of the browser.
    const { drawn, selection } = this.#pressed;
    if (!editing.queue.isIdle) editing.selectDrawn(drawn, selection);
    return false;
  }

  /** A press beside a text put the caret into it, and the browser selects nothing from there. */
  beginAt(index: SpotIndex): void {
    this.#end = 'within';
    this.#begunAt = index;
  }

  /** Extends the selection of the open text, or one over several, to a press. */
  #extend(event: MouseEvent): boolean {
    const { elements } = this.#ports;
    if (!elements.printAt(event)) return false;
    if (elements.isSelectedAcross()) {
      this.#goAcross(event);
      return true;
    }
    const spot = elementOf(elements.field ?? null);
    if (!spot) return false;
    return elements.isBeyond(spot, event) ? this.#leave(event) : this.#extendWithin(spot, event);
  }

  /** Extends the selection of the open text to a point of it, or to its end that is nearer. */
  #extendWithin(spot: HTMLElement, to: Pointed): boolean {
    const { elements, selection } = this.#ports;
    const isBefore = (elements.printAt(to)?.comparePoint(spot, 0) ?? 0) > 0;
    return selection.extendTo(elements.offsetAt(spot, to) ?? (isBefore ? 0 : Infinity));
  }

  /** The pointer moved. */
  move(event: MouseEvent): void {
    if (!this.#end) return;
    if ((event.buttons & 1) === 0) return this.#forget();
    if (this.#end === 'begun') {
      // A press on selected words drags these.
      this.#end = this.#ports.elements.isCaret() ? 'across' : undefined;
      this.#isBegun = true;
    }
    this.#last = event;
    this.#follow(event);
    this.#watch();
  }

  /** Extends the selection to the pointer. */
  #follow(to: Pointed): void {
    const { elements } = this.#ports;
    // In the prompt the browser does so, where no text was open.
    if (this.#isBegun && !elements.isOutside(to)) return;
    const spot = elementOf(elements.field ?? null);
    if (this.#end === 'across') elements.extendTo(to);
    else if (this.#end !== 'within' || !spot) return;
    else if (elements.isBeyond(spot, to)) this.#leave(to);
    else if (this.#begunAt && isSameIndex(indexOf(spot), this.#begunAt))
      this.#extendWithin(spot, to);
  }

  /**
   * Extends the selection with each frame while the pointer is outside of the prompt, and scrolls while it is above
   * or below what is in sight. The browser extends it there as well, at each move and by a timer.
   */
  #watch(): void {
    const { scroller } = this.#ports.elements;
    if (this.#endWatch || !this.#end || !scroller) return;
    let frame = 0;
    const step = () => {
      frame = requestAnimationFrame(step);
      if (this.#last && this.#ports.elements.isOutside(this.#last)) this.#follow(this.#last);
    };
    const endScroll = scrollAtEdges(
      scroller,
      () => this.#last?.clientY ?? 0,
      () => undefined,
      0,
    );
    frame = requestAnimationFrame(step);
    this.#endWatch = () => {
      cancelAnimationFrame(frame);
      endScroll();
    };
  }

  #leave(event: Pointed): boolean {
    const { elements, editing, selection } = this.#ports;
    const { field } = elements;
    // A field without a letter may have no point of the selection in it.
    const empty = field?.textContent === '' ? { start: 0, end: 0 } : undefined;
    const found = field && (selectionIn(field) ?? empty);
    const from = this.#pressed ?? (found && { drawn: field.textContent, selection: found });
    this.#forget();
    if (!from) return false;
    editing.selectDrawn(from.drawn, from.selection);
    this.#last = event;
    this.#end = 'leaving';
    const isLeft = selection.leave(() => {
      const last = this.#last ?? event;
      if (this.#isDown) this.#goAcross(last);
      else {
        this.#end = undefined;
        elements.extendTo(last);
      }
      return this.#isDown;
    });
    if (!isLeft) this.#forget();
    return isLeft;
  }

  /** Extends the selection to the pointer as long as the button is down. */
  #goAcross(event: Pointed): void {
    this.#end = 'across';
    this.#last = event;
    this.#follow(event);
    this.#watch();
  }

  /** The button went up somewhere; true when that ends a selection which no click says it of. */
  release(event: Pointed): boolean {
    this.#isDown = false;
    const isAcross = this.#end === 'across';
    // Where no text was open, a click follows in the prompt.
    const isSaid = this.#isBegun && this.#ports.elements.holds(event.target);
    // The browser may have extended it since the last frame.
    if (isAcross && this.#ports.elements.isOutside(event)) this.#follow(event);
    if (!this.isLeaving) this.#forget();
    return isAcross && !isSaid;
  }

  /** Words begin to be dragged: not those that a first move out of the open text has just selected. */
  dragstart(event: DragEvent): void {
    if (this.#end === 'across') event.preventDefault();
    else this.#forget();
  }

  /** A key ends a drag: it is meant for what is selected. */
  key(): void {
    if (!this.isLeaving) this.#forget();
  }

  #forget(): void {
    this.#isBegun = false;
    this.#begunAt = undefined;
    this.#endWatch?.();
    this.#endWatch = undefined;
    this.#end = undefined;
    this.#pressed = undefined;
  }
}
