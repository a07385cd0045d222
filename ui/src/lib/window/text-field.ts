// The fields that texts are edited in: an input, a textarea, or an element drawn in chunks where the
// text is long.
import { selectIn, selectionIn } from './text-offsets';

/** Selects those of several lines. */
export const TEXT_FIELD = ':is(textarea, [role="textbox"])';

/** Selects whatever text is typed into, an editor in its element too. */
export const EDITABLE =
  ':is(input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, [contenteditable])';

/** Puts the caret at an offset of such a field, in UTF-16 units. */
export const caretTo = (field: HTMLElement, offset: number): void =>
  select(field, { start: offset, end: offset });

/** Puts the caret of the field in focus where `offsetIn` finds a place in its text, if it is not negative. */
export function caretInField(offsetIn: (text: string) => number): void {
  const { activeElement: field } = document;
  if (!(field instanceof HTMLElement) || !field.matches(TEXT_FIELD)) return;
  const offset = offsetIn(isPlain(field) ? field.value : field.textContent);
  if (offset >= 0) caretTo(field, offset);
}

/** Selects words in the text of such a field. */
export function select(field: HTMLElement, { start, end }: { start: number; end: number }): void {
  if (isPlain(field)) field.setSelectionRange(start, end);
  else selectIn(field, { start, end });
}

/** Whether an element is a field for text, of one line or several. */
export function isTextField(element: Element): element is HTMLElement {
  return element.matches(`input:is([type="text"], :not([type])), ${TEXT_FIELD}`);
}

/** Whether it is an input or a textarea, whose text is its value, and not an element drawn in chunks. */
export function isPlain(
  field: EventTarget | null | undefined,
): field is HTMLInputElement | HTMLTextAreaElement {
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
}

/** Whether the caret is behind all text of a field. */
export function isAtEnd(field: HTMLElement): boolean {
  if (isPlain(field)) {
    return field.selectionStart === field.value.length && field.selectionEnd === field.value.length;
  }
  const end = field.textContent.length;
  const selection = selectionIn(field);
  return selection?.start === end && selection.end === end;
}

export function caretToEnd(field: HTMLElement): void {
  caretTo(field, isPlain(field) ? field.value.length : field.textContent.length);
}
