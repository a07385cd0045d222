// Where a search of the deck begins: at what had the focus on a card, else at what is first in sight.
import { textOfAnchor, type Place } from '../document/place';

/** How far apart the points are that are looked at from the top of the deck, in pixels. */
const STEP = 24;

/** The place to search from, for a focus that comes from an element. */
export function placeToSearchFrom(from: Element | null): Place | undefined {
  const place = from && placeOn(from);
  if (place) return place;
  const scroller = document.querySelector('[data-card]')?.closest('.scroll');
  if (!scroller || scroller.scrollTop === 0) return undefined;
  const { left, width, top, bottom } = scroller.getBoundingClientRect();
  let card: Place | undefined;
  for (let y = top + 1; y < bottom; y += STEP) {
    const at = document.elementFromPoint(left + width / 2, y);
    const seen = at && scroller.contains(at) ? placeOn(at) : undefined;
    if (seen?.item !== undefined) return seen;
    card ??= seen;
  }
  return card;
}

/** The text, the item or the card that an element belongs to. */
function placeOn(element: Element): Place | undefined {
  const card = element.closest<HTMLElement>('[data-card]')?.dataset.card;
  if (card === undefined) return undefined;
  if (card.startsWith('#')) return { part: card.slice(1) };
  const anchor = element.closest<HTMLElement>('[data-place]')?.dataset.place ?? '';
  const item = anchor.split('\u001f')[1];
  return textOfAnchor(anchor) ?? { section: card, ...(item && { item: Number(item) }) };
}
