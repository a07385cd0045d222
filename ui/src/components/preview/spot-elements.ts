// The elements of the spots of a drawn prompt: which one was hit, where in its text, and which is next
// to it.
import type { Block, Spot } from '$lib/document/blocks';
import { isEditable, spotText, type SpotIndex } from '$lib/document/open-spot';
import { comesFrom, type Place } from '$lib/document/place';
import type { TextRange } from '$lib/document/replacement';
import { caretBox, offsetOf, pointAt } from '$lib/window/text-offsets';

const parentOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target : ((target as Node | null)?.parentElement ?? null);

/** The element of the spot that holds a node. */
export const elementOf = (target: EventTarget | null): HTMLElement | null =>
  parentOf(target)?.closest<HTMLElement>('[data-spot]') ?? null;

/** Which spot an element draws. */
export function indexOf(element: HTMLElement | null): SpotIndex | undefined {
  if (!element) return undefined;
  const [block, spot] = (element.dataset.spot ?? '').split('/').map(Number);
  return { block: block ?? -1, spot: spot ?? -1 };
}

/** A point of the page. */
type Point = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** A point of the page, and what is there. */
export type Pointed = Point & Pick<MouseEvent, 'target'>;

/** Where a point of the page is in the text. */
const caretAt = ({ clientX, clientY }: Point): Range | null =>
  document.caretRangeFromPoint?.(clientX, clientY) ?? null;

/** The last spot of a block on the line of a press and left of it. */
const lastOnLine = (block: Element, { clientX, clientY }: MouseEvent): HTMLElement | undefined =>
  [...block.querySelectorAll<HTMLElement>('[data-spot]')].findLast((spot) =>
    [...spot.getClientRects()].some(
      ({ left, top, bottom }) =>
        left <= clientX && top - LINE_GAP <= clientY && clientY < bottom + LINE_GAP,
    ),
  );

/** Pixels of a line of the prompt. */
const LINE_HEIGHT = 20;
/** Pixels between the name of a variable without a value and the edge of its line. */
const LINE_GAP = 1;

export class SpotElements {
  readonly #holder: () => HTMLElement | undefined;
  readonly #blocks: () => Block[];

  constructor(holder: () => HTMLElement | undefined, blocks: () => Block[]) {
    this.#holder = holder;
    this.#blocks = blocks;
  }

  spot(index: SpotIndex | undefined): Spot | undefined {
    return index && this.#blocks()[index.block]?.spots[index.spot];
  }

  spotAt(target: EventTarget | null): Spot | undefined {
    return this.spot(indexOf(elementOf(target)));
  }

  element(index: SpotIndex | undefined): HTMLElement | undefined {
    const at = index ? `[data-spot="${index.block}/${index.spot}"]` : '[data-spot]';
    return this.#holder()?.querySelector<HTMLElement>(at) ?? undefined;
  }

  /** The blocks with spots that a text of an item prints. */
  blocksOf(place: Place): number[] {
    return this.#blocks().flatMap(({ spots }, block) =>
      spots.some(({ source }) => source && comesFrom(source, place)) ? [block] : [],
    );
  }

  /** The spots that a text of an item prints. */
  printsOf(place: Place): HTMLElement[] {
    const found: HTMLElement[] = [];
    this.#blocks().forEach(({ spots }, block) =>
      spots.forEach(({ source }, spot) => {
        if (!source || !comesFrom(source, place)) return;
        const element = this.element({ block, spot });
        if (element) found.push(element);
      }),
    );
    return found;
  }

  /** Whether text of several spots is selected. */
  isSelectedAcross(): boolean {
    const holder = this.#holder();
    const selection = getSelection();
    if (!holder || !selection || selection.isCollapsed) return false;
    const { startContainer, endContainer } = selection.getRangeAt(0);
    const within = holder.contains(startContainer) && holder.contains(endContainer);
    const spot = elementOf(startContainer);
    return within && (spot === null || spot !== elementOf(endContainer));
  }

  /** Whether nothing is selected but a caret in the prompt. */
  isCaret(): boolean {
    const selection = getSelection();
    return selection?.isCollapsed === true && this.holds(selection.anchorNode);
  }

  /** Whether a point of the page is in what is selected. */
  isSelected(event: MouseEvent): boolean {
    const point = caretAt(event);
    const selection = getSelection();
    if (!point || !selection || selection.isCollapsed) return false;
    return selection.getRangeAt(0).isPointInRange(point.startContainer, point.startOffset);
  }

  /** The stretch that holds the start or the end of the selection, and where in its text. */
  selectionEnd(start: boolean): { index: SpotIndex; offset: number } | undefined {
    const range = getSelection()?.getRangeAt(0).cloneRange();
    range?.collapse(start);
    const element = elementOf(range?.startContainer ?? null);
    const index = indexOf(element);
    if (!range || !element || !index) return undefined;
    return { index, offset: this.offsetIn(element, range.startContainer, range.startOffset) };
  }

  /** Where the caret is drawn, or the end of the selection; else what has the focus. */
  caretBox(): DOMRect | undefined {
    const holder = this.#holder();
    const selection = getSelection();
    const { focusNode, focusOffset } = selection ?? {};
    if (!holder) return undefined;
    if (!focusNode || !holder.contains(focusNode)) {
      const focused = document.activeElement;
      return holder.contains(focused) ? focused?.getBoundingClientRect() : undefined;
    }
    const field = elementOf(focusNode) ?? holder;
    return caretBox(field, offsetOf(field, focusNode, focusOffset ?? 0));
  }

  /** The field of the open text. */
  get field(): HTMLElement | undefined {
    return this.#holder()?.querySelector<HTMLElement>('.open') ?? undefined;
  }

  /** What scrolls the prompt. */
  get scroller(): HTMLElement | undefined {
    return this.#holder()?.closest<HTMLElement>('.scroll') ?? undefined;
  }

  /** Whether a point of the page is outside of the prompt, or of what is in sight of it. */
  isOutside({ clientX, clientY, target }: Pointed): boolean {
    const view = this.scroller?.getBoundingClientRect();
    if (!view || !this.holds(target)) return true;
    const isBeside = clientX < view.left || clientX > view.right;
    return isBeside || clientY < view.top || clientY > view.bottom;
  }

  /** Whether an element is of the drawn prompt. */
  holds(target: EventTarget | null): boolean {
    return this.#holder()?.contains(target as Node | null) ?? false;
  }

  /** Where a point of the page is in the prompt, without what lies over it. */
  printAt(event: Point): Range | null {
    const point = caretAt(event);
    const block = parentOf(point?.startContainer ?? null)?.closest('.block, .alternatives');
    return block?.matches('.block') && this.#holder()?.contains(block) ? point : null;
  }

  /** Whether a point of the page is over another spot, or over text before or behind this one. */
  isBeyond(element: HTMLElement, event: Pointed): boolean {
    const over = elementOf(event.target);
    if (over && this.#holder()?.contains(over)) return over !== element;
    const point = this.#placeOf(event);
    if (!point || element.contains(point.startContainer)) return false;
    // The end of a line may be in the text between two spots.
    if (point.comparePoint(element, 0) < 0) point.setStartAfter(element);
    else point.setEndBefore(element);
    return point.toString() !== '';
  }

  /** The start of the prompt as it is drawn, or its end. */
  edge(by: 1 | -1): [Node, number] | undefined {
    const blocks = this.#holder()?.querySelectorAll<HTMLElement>(':scope > .block') ?? [];
    const block = [...blocks].at(by > 0 ? -1 : 0);
    return block && pointAt(block, by > 0 ? block.textContent.length : 0);
  }

  /**
   * The place of the prompt in sight that is nearest to a point of the page outside of it: on the line of the
   * point, else the start or the end of the prompt.
   */
  #nearestTo({ clientX, clientY }: Point): Range | null {
    const blocks = [...(this.#holder()?.querySelectorAll(':scope > .block') ?? [])];
    const boxes = blocks.map((block) => block.getBoundingClientRect());
    const view = this.scroller?.getBoundingClientRect();
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (!first || !last || !view) return null;
    const y = Math.min(Math.max(clientY, view.top + 1), view.bottom - 1);
    const by = y >= last.bottom ? 1 : y < first.top ? -1 : undefined;
    const edge = by && this.edge(by);
    if (edge) {
      const range = document.createRange();
      range.setStart(...edge);
      return range;
    }
    // Between two blocks the one above is hit.
    const block = boxes.findLast(({ top }) => top <= y) ?? first;
    const [left, right] = [Math.max(block.left, view.left), Math.min(block.right, view.right)];
    return this.printAt({
      clientX: Math.min(Math.max(clientX, left + 1), right - 1),
      clientY: Math.min(y, block.bottom - 1),
    });
  }

  /** The place of a point of the page in the prompt, or the nearest to it where it is outside. */
  #placeOf(event: Pointed): Range | null {
    return this.isOutside(event) ? this.#nearestTo(event) : this.printAt(event);
  }

  /** Extends the selection to a point of the page, or to what is nearest to it in the prompt. */
  extendTo(event: Pointed): void {
    const point = this.#placeOf(event);
    if (point) getSelection()?.extend(point.startContainer, point.startOffset);
  }

  /** The offset of a point in the text of its spot. */
  offsetIn(element: HTMLElement, node: Node, offset: number): number {
    const field = element.querySelector<HTMLElement>('.open');
    if (field?.contains(node)) return offsetOf(field, node, offset);
    const bullet = this.spotAt(element)?.pieces.find((piece) => piece.bullet)?.text.length ?? 0;
    return Math.max(offsetOf(element, node, offset) - bullet, 0);
  }

  /** Where a press hits the text of a spot; undefined beside it. */
  offsetAt(element: HTMLElement, event: Point): number | undefined {
    const point = caretAt(event);
    if (!point || !element.contains(point.startContainer)) return undefined;
    return this.offsetIn(element, point.startContainer, point.startOffset);
  }

  /** The piece that can't be edited and was pressed, as a range of the text of its spot. */
  fixedAt(element: HTMLElement, { target }: MouseEvent): TextRange | undefined {
    const piece = target instanceof Element ? target.closest('.fixed') : null;
    if (!piece || !element.contains(piece)) return undefined;
    const start = this.offsetIn(element, piece, 0);
    return { start, end: start + piece.textContent.length };
  }

  /** The last spot before a press beside the text, on its line where there is one. */
  elementBefore(event: MouseEvent): HTMLElement | null {
    const pressed = event.target instanceof Element && event.target.closest('.block');
    if (!pressed) return null;
    // The caret of a point is in a letter, and these have none.
    const last = lastOnLine(pressed, event);
    const next = last?.nextElementSibling;
    if (last?.matches('.gap') && next instanceof HTMLElement && next.matches('.edge')) return next;
    // Behind the bullet of an entry without text WebKit may find a letter of another line.
    const spot = last && this.spotAt(last);
    if (spot && spot.gap === undefined && spotText(spot) === '') return last;
    const point = caretAt(event);
    if (!point || !pressed.contains(point.startContainer)) return null;
    const within = elementOf(point.startContainer);
    if (within) return within;
    const before = [...pressed.querySelectorAll<HTMLElement>('[data-spot]')];
    return before.findLast((spot) => point.comparePoint(spot, 0) < 0) ?? null;
  }

  /** The next spot that can be edited, in one direction. */
  neighbour(from: SpotIndex, by: 1 | -1): SpotIndex | undefined {
    const blocks = this.#blocks();
    let { block, spot } = from;
    for (;;) {
      spot += by;
      while (blocks[block] && (spot < 0 || spot >= (blocks[block]?.spots.length ?? 0))) {
        block += by;
        spot = by > 0 ? 0 : (blocks[block]?.spots.length ?? 0) - 1;
      }
      if (!blocks[block]) return undefined;
      if (isEditable(blocks[block]?.spots[spot])) return { block, spot };
    }
  }

  /** The first spot that can be edited, or the last. */
  outermost(by: 1 | -1): SpotIndex | undefined {
    const blocks = this.#blocks();
    const last = { block: blocks.length - 1, spot: blocks.at(-1)?.spots.length ?? 0 };
    return by > 0 ? this.neighbour(last, -1) : this.neighbour({ block: 0, spot: -1 }, 1);
  }

  /** The end of the line of the caret, when another stretch is there. */
  lineEnd(by: 1 | -1): { index: SpotIndex; offset: number } | undefined {
    const caret = this.caretBox();
    const open = elementOf(getSelection()?.focusNode ?? null);
    const block = open?.closest('.block');
    if (!caret || !open || !block) return undefined;
    const y = (caret.top + caret.bottom) / 2;
    const isOnLine = ({ top, bottom }: DOMRect) => top <= y && y <= bottom;
    const spots = [...block.querySelectorAll<HTMLElement>('[data-spot]')].filter(
      (spot) => isEditable(this.spotAt(spot)) && [...spot.getClientRects()].some(isOnLine),
    );
    const element = spots.at(by > 0 ? -1 : 0);
    const index = indexOf(element ?? null);
    if (!element || !index || element === open) return undefined;
    const boxes = [...element.getClientRects()];
    const box = boxes.at(by > 0 ? -1 : 0);
    if (!box || isOnLine(box)) return { index, offset: by > 0 ? Infinity : 0 };
    // It goes on in other lines.
    const own = boxes.find(isOnLine) ?? box;
    const point = document.caretRangeFromPoint(by > 0 ? own.right - 1 : own.left + 1, y);
    if (!point || !element.contains(point.startContainer)) return undefined;
    return { index, offset: this.offsetIn(element, point.startContainer, point.startOffset) };
  }

  /** What is on the line above or below the caret, of the next three that hold text. */
  across(by: 1 | -1): { index: SpotIndex; offset: number } | undefined {
    const caret = getSelection()?.getRangeAt(0).getClientRects()[0];
    if (!caret) return undefined;
    const { left, top, height } = caret;
    for (let line = 1; line <= 3; line += 1) {
      const y = top + height / 2 + by * line * LINE_HEIGHT;
      const point = document.caretRangeFromPoint(left, y);
      const element = elementOf(point?.startContainer ?? null);
      const index = indexOf(element);
      if (!point || !element || !index || !this.#holder()?.contains(element)) continue;
      return { index, offset: this.offsetIn(element, point.startContainer, point.startOffset) };
    }
    return undefined;
  }
}
