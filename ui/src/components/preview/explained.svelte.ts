// The piece of the prompt that says why it can't be edited there, or what prints it, while it is pointed
// at.
import type { Spot } from '$lib/document/blocks';
import type { Failure, Source } from '$lib/ipc';
import type { Reason } from './reason';
import type { SpotElements } from './spot-elements';

/** Milliseconds for the pointer to reach a reason. */
const LEAVE_AFTER = 250;

/** Milliseconds for which the pointer rests on the print of an expression: it may be on its way to the
    reason of another, which is beside the line. */
const REST = 300;

export class Explained {
  /** The piece whose reason is shown. */
  reason = $state.raw<{ anchor: HTMLElement; words: Reason }>();

  readonly #elements: SpotElements;
  readonly #reasonOf: (fixed: Failure, text: string, source: Source) => Reason;
  readonly #printedBy: (spot: Spot) => Reason | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #coming: ReturnType<typeof setTimeout> | undefined;

  constructor(
    elements: SpotElements,
    reasonOf: (fixed: Failure, text: string, source: Source) => Reason,
    printedBy: (spot: Spot) => Reason | undefined,
  ) {
    this.#elements = elements;
    this.#reasonOf = reasonOf;
    this.#printedBy = printedBy;
  }

  /** Shows the reason of what is pointed at; hides it after a moment when there is none. */
  point(target: EventTarget | null): void {
    const anchor =
      target instanceof Element ? target.closest<HTMLElement>('.fixed, .expression') : null;
    this.stay();
    if (anchor && this.reason?.anchor === anchor) return;
    const words = anchor && this.#wordsOf(anchor);
    if (words && !anchor.matches('.fixed')) {
      this.#coming = setTimeout(() => {
        if (anchor.isConnected) this.reason = { anchor, words };
      }, REST);
    } else if (words) this.reason = { anchor, words };
    else if (this.reason) this.#leaving = setTimeout(() => this.hide(), LEAVE_AFTER);
  }

  #wordsOf(anchor: HTMLElement): Reason | undefined {
    const spot = this.#elements.spotAt(anchor);
    if (!spot?.source) return undefined;
    if (!anchor.matches('.fixed')) return this.#printedBy(spot);
    const piece = spot.pieces.find((each) => each.fixed && each.text === anchor.textContent);
    return piece?.fixed && this.#reasonOf(piece.fixed, piece.text, spot.source);
  }

  /** Hides the reason of a piece that is not drawn any more. */
  follow(): void {
    if (this.reason && !this.reason.anchor.isConnected) this.hide();
  }

  hide(): void {
    this.stay();
    this.reason = undefined;
  }

  /** Keeps the reason that is shown, and shows no other. */
  stay(): void {
    clearTimeout(this.#leaving);
    clearTimeout(this.#coming);
  }
}
