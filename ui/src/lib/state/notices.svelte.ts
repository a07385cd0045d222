// Notices of the window: a line at the foot that disappears, or stays while it is a fault.
import type { Failure } from '../ipc';
import { text } from '../text';
import { sentence } from '../text/sentence';

/** One line. */
export interface Notice {
  id: number;
  tone: 'plain' | 'ok' | 'warn' | 'danger';
  text: string;
  action?: Offer;
  /** True once it does not hold any more; it is not shown from then on. */
  isOver?: () => boolean;
}

/** What a line offers to do. */
export interface Offer {
  label: string;
  run: () => void;
  /** Called when the line disappears unused. */
  lapse?: () => void;
  /** True once the offer would do something else than it says; it is withdrawn then. */
  isStale?: () => boolean;
  /** True once what it offers was done in another way, as by a key; the line does not hold then. */
  isDone?: () => boolean;
}

const SHOWN_FOR = 6000;
/** One that offers something is read and then pressed. */
export const OFFERED_FOR = 15_000;
/** One that only answers a key that had nothing to do. */
const HINTED_FOR = 2500;
const AT_MOST = 3;

export class Notices {
  list = $state.raw<Notice[]>([]);
  /** Those that still hold. */
  readonly visible = $derived(this.list.filter((notice) => !notice.isOver?.()));
  /** Whether the pointer or the focus is on them; then they stay. */
  paused = $state(false);
  /** Whether a field is edited where they would be; then they are in the status bar. */
  folded = $state(false);
  /** Where the room for them begins in the status bar, in pixels from the left. */
  foldedAt = $state(0);
  #next = 1;

  /**
   * Says something, until `isOver` says that it does not hold any more. Faults stay until they are put
   * away; the rest goes after a while.
   */
  say(tone: Notice['tone'], words: string, action?: Offer, isOver?: () => boolean): void {
    const isFault = tone === 'danger';
    const shownFor = action ? OFFERED_FOR : SHOWN_FOR;
    this.#add(tone, words, isFault ? undefined : shownFor, action, isOver);
  }

  /** Adds a line that goes after some milliseconds, or stays. */
  #add(
    tone: Notice['tone'],
    words: string,
    shownFor: number | undefined,
    action?: Offer,
    isOver?: () => boolean,
  ): void {
    const notice: Notice = { id: this.#next, tone, text: words };
    if (action) notice.action = action;
    // What does not hold any more is not said again when it holds once more.
    let over = false;
    const isDone = action?.isDone;
    if (isOver || isDone) notice.isOver = () => (over ||= Boolean(isOver?.() || isDone?.()));
    this.#next += 1;
    const others = this.list.filter((other) => other.text !== words);
    this.#replace([...others, notice].slice(-AT_MOST));
    if (shownFor !== undefined) this.#leave(notice.id, shownFor);
  }

  #leave(id: number, after: number): void {
    setTimeout(() => (this.paused ? this.#leave(id, after) : this.dismiss(id)), after);
  }

  /** Says what went wrong, as the service put it, until `isOver` says that its cause is gone. */
  fail(error: unknown, action?: Offer, isOver?: () => boolean): void {
    // A newer question took the place of the one that failed; its answer is shown.
    if (isFailure(error) && error.code === 'superseded') return;
    if (isFailure(error) && error.code === 'nothing_to_do') {
      this.#add('plain', failureText(error), HINTED_FOR);
      return;
    }
    this.say('danger', failureText(error), action, isOver);
  }

  /** Puts the newest line away; false when there is none. */
  dismissNewest(): boolean {
    const newest = this.visible.at(-1);
    if (newest) this.dismiss(newest.id);
    return newest !== undefined;
  }

  dismiss(id: number): void {
    // What is put away can't tell any more that it was left.
    this.paused = false;
    this.#replace(this.list.filter((notice) => notice.id !== id));
  }

  /** Another document took the place of the open one: its faults go. One with a way out stays, and one
      that knows when it is over. */
  leaveDocument(): void {
    this.#replace(
      this.list.filter(({ tone, action, isOver }) => tone !== 'danger' || action || isOver),
    );
  }

  /** Does what a line offers and puts it away. */
  takeUp(id: number): void {
    const offer = this.list.find((notice) => notice.id === id)?.action;
    this.paused = false;
    this.list = this.list.filter((notice) => notice.id !== id);
    if (!offer?.isStale?.()) offer?.run();
  }

  #replace(next: Notice[]): void {
    const gone = this.list.filter((notice) => !next.includes(notice));
    this.list = next;
    for (const { action } of gone) action?.lapse?.();
  }
}

/** Whether a rejected call tells a failure of the service, and which. */
export function isFailure(error: unknown): error is Failure {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** A fault as the service tells one, whatever was thrown. */
export function failureOf(error: unknown): Failure {
  return isFailure(error) ? error : { code: 'unknown', message: failureText(error) };
}

/** A fault as a sentence for a place that shows the name it is about. */
export function reasonText(error: unknown): string {
  return isFailure(error) ? sentence(error.reason ?? error.message) : failureText(error);
}

/** A fault as a sentence, whatever was thrown. */
export function failureText(error: unknown): string {
  if (isFailure(error)) return sentence(error.message);
  // Not one of the service, which explains itself: a fault of the page, in the words of its library.
  if (error instanceof Error) return text.pageFault(error.message);
  return typeof error === 'string' ? error : text.unknownFault;
}
