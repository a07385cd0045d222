// Selecting with the pointer from the open text of the prompt into others, by a drag or a press with Shift. The
// browser keeps a selection that begins in a field within it: the field is closed once the pointer is elsewhere,
// and the selection goes on from where it began. One over several texts it drops at a press with Shift, which
// moves the focus.
import type { OpenSelection } from '$lib/document/replacement';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { selectionIn } from '$lib/window/text-offsets';
import { elementOf, type SpotElements } from './spot-elements';
import type { SpotSelection } from './spot-selection';

interface Ports {
  elements: SpotElements;
  editing: PromptEditing;
  selection: SpotSelection;
}

export class SpotDrag {
  readonly #ports: Ports;
  #isDown = false;
  /** Where the selection ends: in the open text, elsewhere once that is closed, or elsewhere. */
  #end: 'within' | 'leaving' | 'across' | undefined;
  /** Where the open text was pressed, and what it was: an edit that is on its way would move the caret. */
  #pressed: { drawn: string; selection: OpenSelection } | undefined;
  /** Where the pointer was last. */
  #last: MouseEvent | undefined;

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
    const { elements } = this.#ports;
    const { field } = elements;
    if (!field?.contains(event.target as Node)) return event.shiftKey && this.#extend(event);
    // Others go on from the selection that was, or select a word.
    const putsCaret = event.detail === 1 && !event.shiftKey;
    // A press on selected words drags these.
    if (putsCaret && elements.isSelected(event)) return false;
    this.#end = 'within';
    const spot = elementOf(field);
    const at = putsCaret && spot ? elements.offsetAt(spot, event) : undefined;
    if (at !== undefined)
      this.#pressed = { drawn: field.textContent, selection: { start: at, end: at } };
    return false;
  }

  /** Extends the selection of the open text, or one over several, to a press. */
  #extend(event: MouseEvent): boolean {
    const { elements, selection } = this.#ports;
    const point = elements.printAt(event);
    if (!point) return false;
    if (elements.isSelectedAcross()) {
      this.#end = 'across';
      elements.extendTo(event);
      return true;
    }
    const spot = elementOf(elements.field ?? null);
    if (!spot) return false;
    if (elements.isBeyond(spot, event)) return this.#leave(event);
    const isBefore = point.comparePoint(spot, 0) > 0;
    return selection.extendTo(elements.offsetAt(spot, event) ?? (isBefore ? 0 : Infinity));
  }

  /** The pointer moved. */
  move(event: MouseEvent): void {
    if (!this.#end || (event.buttons & 1) === 0) return;
    this.#last = event;
    const { elements } = this.#ports;
    const { field } = elements;
    const spot = elementOf(field ?? null);
    if (this.#end === 'across') elements.extendTo(event);
    else if (this.#end === 'within' && spot && elements.isBeyond(spot, event)) this.#leave(event);
  }

  #leave(event: MouseEvent): boolean {
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
      this.#end = this.#isDown ? 'across' : undefined;
      if (this.#last) elements.extendTo(this.#last);
      return this.#isDown;
    });
    if (!isLeft) this.#forget();
    return isLeft;
  }

  /** The button went up; true when that ends a selection that left the open text. */
  release(): boolean {
    this.#isDown = false;
    const isAcross = this.#end === 'across';
    if (!this.isLeaving) this.#forget();
    return isAcross;
  }

  /** Words begin to be dragged: not those that a first move out of the open text has just selected. */
  dragstart(event: DragEvent): void {
    if (this.#end === 'across') event.preventDefault();
    else this.#forget();
  }

  #forget(): void {
    this.#end = undefined;
    this.#pressed = undefined;
  }
}
