// The piece of the prompt that says why it can't be edited there, while it is pointed at.
import type { Failure, Source } from '$lib/ipc';
import type { Reason } from './reason';
import type { SpotElements } from './spot-elements';

/** Milliseconds for the pointer to reach a reason. */
const LEAVE_AFTER = 250;

export class Explained {
  /** The piece whose reason is shown. */
  reason = $state.raw<{ anchor: HTMLElement; words: Reason }>();

  readonly #elements: SpotElements;
  readonly #reasonOf: (fixed: Failure, text: string, source: Source) => Reason;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    elements: SpotElements,
    reasonOf: (fixed: Failure, text: string, source: Source) => Reason,
  ) {
    this.#elements = elements;
    this.#reasonOf = reasonOf;
  }

  /** Shows the reason of what is pointed at; hides it after a moment when there is none. */
  point(target: EventTarget | null): void {
    const anchor = target instanceof Element ? target.closest<HTMLElement>('.fixed') : null;
    const spot = anchor && this.#elements.spotAt(anchor);
    const piece = spot?.pieces.find((each) => each.fixed && each.text === anchor?.textContent);
    this.stay();
    if (anchor && spot?.source && piece?.fixed) {
      if (this.reason?.anchor === anchor) return;
      this.reason = { anchor, words: this.#reasonOf(piece.fixed, piece.text, spot.source) };
    } else if (this.reason) {
      this.#leaving = setTimeout(() => this.hide(), LEAVE_AFTER);
    }
  }

  /** Hides the reason of a piece that is not drawn any more. */
  follow(): void {
    if (this.reason && !this.reason.anchor.isConnected) this.hide();
  }

  hide(): void {
    this.stay();
    this.reason = undefined;
  }

  /** Keeps the reason that is shown. */
  stay(): void {
    clearTimeout(this.#leaving);
  }
}
