// Opens stretches of the prompt for editing where they are printed: at an offset of their text, by an
// arrow that leaves the open one, or by the list of what a roll could have printed there.
import { bracedNames, type Spot } from '$lib/document/blocks';
import type { Heading } from '$lib/document/caret-target';
import { isEditable, spotText, type SpotIndex } from '$lib/document/open-spot';
import { placeOfPointer, placeOfSource, type Place } from '$lib/document/place';
import type { TextRange } from '$lib/document/replacement';
import type { Source } from '$lib/ipc';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import type { SpotElements } from './spot-elements';

interface Ports {
  elements: SpotElements;
  editing: PromptEditing;
  isRolled: (spot: Spot) => boolean;
  /** Where a variable of a section is set. */
  placeOfGap: (section: string, variable: string) => Place;
  /** Called when a stretch is opened. */
  onopen: (place: Place) => void;
}

export class SpotOpener {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get isOpen(): boolean {
    return this.#ports.editing.index !== undefined;
  }

  /** The field that a stretch is edited by on its card. */
  placeOf({ source, gap, expression, pieces }: Spot & { source: Source }): Place {
    const pointer = pieces[0]?.pointer;
    if (pointer !== undefined) return placeOfPointer(pointer);
    if (gap === undefined || expression !== undefined) return placeOfSource(source);
    return this.#ports.placeOfGap(source.section, gap);
  }

  /** Where a stretch leads: a stretch is one field, so its wrong names are one problem. */
  placeAt(target: EventTarget | null): Place | undefined {
    const spot = this.#ports.elements.spotAt(target);
    if (!spot?.source) return undefined;
    const pointer = bracedNames(spot)[0]?.pointer;
    return pointer === undefined
      ? this.placeOf({ ...spot, source: spot.source })
      : placeOfPointer(pointer);
  }

  /** Moves or copies a range of the prompt into a stretch. False when that can't be edited here. */
  drop(range: TextRange, index: SpotIndex, offset: number, isCopy: boolean): boolean {
    const { elements, editing, onopen } = this.#ports;
    const spot = elements.spot(index);
    if (!isEditable(spot) || editing.isRendered) return false;
    void editing.drop(range, index, Math.min(offset, spotText(spot).length), isCopy);
    onopen(this.placeOf(spot));
    return true;
  }

  /** Opens a stretch with the caret at an offset of its text. False when it can't be edited here. */
  open(
    index: SpotIndex,
    start: number,
    end = start,
    heading: Heading = 0,
    backward = false,
  ): boolean {
    const { elements, editing, onopen } = this.#ports;
    const spot = elements.spot(index);
    if (!isEditable(spot) || editing.isRendered) return false;
    const most = spotText(spot).length;
    const selection = { start: Math.min(start, most), end: Math.min(end, most) };
    editing.open(index, backward ? { ...selection, backward } : selection, heading);
    onopen(this.placeOf(spot));
    return true;
  }

  /** Closes the open stretch. */
  close(): void {
    void this.#ports.editing.close();
  }

  /** Lists the alternatives of a rolled stretch, or opens any other one. */
  press(index: SpotIndex, offset: number, end = offset): boolean {
    const { elements, editing, isRolled, onopen } = this.#ports;
    const spot = elements.spot(index);
    const isListed = spot && isEditable(spot) && isRolled(spot) && !editing.isRendered;
    if (!isListed) return this.open(index, offset, end);
    void editing.list(index, offset).then((listed) => {
      if (!listed) this.open(index, offset);
    });
    if (spot.source) onopen(placeOfSource(spot.source));
    return true;
  }

  /** Opens the next stretch in one direction, at the end that is nearer. */
  beside(from: SpotIndex, by: 1 | -1): boolean {
    const { elements } = this.#ports;
    const index = elements.neighbour(from, by);
    const spot = elements.spot(index);
    if (index === undefined || spot === undefined) return false;
    const end = by > 0 ? 0 : spotText(spot).length;
    return this.open(index, end, end, by);
  }

  /** Opens the end of a selection over several stretches that an arrow leads to. */
  collapse(event: KeyboardEvent): boolean {
    if (this.#toEdge(event)) return true;
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    const toStart = key === 'ArrowLeft' || key === 'ArrowUp';
    const toEnd = key === 'ArrowRight' || key === 'ArrowDown';
    if (shiftKey || ctrlKey || altKey || metaKey || (!toStart && !toEnd)) return false;
    const hit = this.#ports.elements.selectionEnd(toStart);
    if (!hit) return false;
    return this.open(hit.index, hit.offset) || this.beside(hit.index, toStart ? 1 : -1);
  }

  /** Goes from the open stretch where an arrow leads; false while that is within it. */
  leaveBy(event: KeyboardEvent): boolean {
    const { editing, elements } = this.#ports;
    const { index, selection, text } = editing;
    if (this.#toEdge(event)) return true;
    if (!index || event.shiftKey || event.ctrlKey || event.altKey) return false;
    const { key } = event;
    if (key === 'Home' || key === 'End') {
      const hit = elements.lineEnd(key === 'End' ? 1 : -1);
      return hit !== undefined && this.open(hit.index, hit.offset);
    }
    if (selection.start !== selection.end) return false;
    if (key === 'ArrowLeft') {
      return editing.step(-1) || (selection.start === 0 && this.beside(index, -1));
    }
    if (key === 'ArrowRight') {
      return editing.step(1) || (selection.end === text.length && this.beside(index, 1));
    }
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
    return this.#across(index, key === 'ArrowDown' ? 1 : -1);
  }

  /** Opens the first or the last text of the prompt; false for any other key. */
  #toEdge({ key, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): boolean {
    if (!ctrlKey || shiftKey || altKey || metaKey || (key !== 'Home' && key !== 'End'))
      return false;
    const { editing, elements } = this.#ports;
    const index = elements.outermost(key === 'End' ? 1 : -1);
    // In the open text the browser moves the caret.
    const isOpen = index?.block === editing.index?.block && index?.spot === editing.index?.spot;
    return index !== undefined && !isOpen && this.open(index, key === 'End' ? Infinity : 0);
  }

  /** Opens what is on the line above or below the caret; false when that is the open stretch. */
  #across(index: SpotIndex, by: 1 | -1): boolean {
    const hit = this.#ports.elements.across(by);
    if (hit?.index.block === index.block && hit.index.spot === index.spot) return false;
    return (hit !== undefined && this.open(hit.index, hit.offset)) || this.beside(index, by);
  }
}
