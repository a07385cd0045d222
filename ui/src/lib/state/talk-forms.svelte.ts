// The forms of a conversation that the author writes in, while they are on the page, and how the focus
// gets there.
import { TEXT_FIELD } from '../window/text-field';

function focusField(form: HTMLElement | undefined): void {
  form?.querySelector<HTMLElement>(TEXT_FIELD)?.focus();
}

export class TalkForms {
  /** That of the next turn. */
  composer = $state.raw<HTMLElement>();
  /** That of the first tool call without a result. */
  result = $state.raw<HTMLElement>();

  /** Goes to where the author writes next: the result of an open tool call, or the next turn. */
  focus(): void {
    focusField(this.result ?? this.composer);
  }

  /** Goes to the next turn, as when another branch takes the place of the one with the open tool call. */
  focusComposer(): void {
    focusField(this.composer);
  }

  /** Goes to the result of a tool call that has arrived, unless the author is in the middle of a turn. */
  focusResult(draft: string): void {
    const isWriting = draft !== '' && this.composer?.contains(document.activeElement);
    if (!isWriting) focusField(this.result);
  }
}
