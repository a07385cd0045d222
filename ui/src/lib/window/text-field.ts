// The fields that texts of several lines are edited in: a textarea, or an element drawn in chunks where
// the text is long.
import { selectIn } from './text-offsets';

/** Selects them. */
export const TEXT_FIELD = ':is(textarea, [role="textbox"])';

/** Puts the caret at an offset of such a field, in UTF-16 units. */
export function caretTo(field: HTMLElement, offset: number): void {
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(offset, offset);
  else selectIn(field, { start: offset, end: offset });
}
