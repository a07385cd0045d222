// The mark of what was gone to: its field, and where the words are drawn in it.
import { pointAt } from './text-offsets';

/** Where words are in the text of a field, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Marks what was gone to, and nothing else. The words in it have a mark of their own, if it draws any. */
export function markFound(element?: HTMLElement, words?: Span): void {
  for (const before of document.querySelectorAll<HTMLElement>('[data-found]')) {
    delete before.dataset.found;
  }
  // A field's own background would be as strong as the mark of the words.
  if (element) element.dataset.found = words && drawnText(element) ? 'words' : '';
}

/** The range of words in the text of the field of a place. */
export function rangeInField(
  cards: Element,
  anchor: string,
  { start, end }: Span,
): Range | undefined {
  const field = cards.querySelector<HTMLElement>(`[data-place="${CSS.escape(anchor)}"]`);
  const drawn = field && drawnText(field);
  if (!drawn) return undefined;
  const range = document.createRange();
  range.setStart(...pointAt(drawn, start));
  range.setEnd(...pointAt(drawn, end));
  return range;
}

/** What draws the name of a section on its card. */
export const nameOnCard = (cards: Element, section = ''): Element | null =>
  cards.querySelector(`[data-card="${CSS.escape(section)}"] [data-searched]`);

/** What draws the text of a field: that of a textarea cannot be marked, but the copy behind it can. */
function drawnText(field: HTMLElement): HTMLElement | undefined {
  if (field.matches('[contenteditable]')) return field;
  return field.parentElement?.querySelector<HTMLElement>('.underlay') ?? undefined;
}
