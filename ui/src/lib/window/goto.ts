// Going to a place: opens the card and the item it is in, then puts the focus on what edits it.
import { tick } from 'svelte';
import { anchorOf, NAME, routeNameAnchor, type Place } from '../document/place';
import type { ViewState } from '../state/view.svelte';
import { markFound } from './found-marks';
import { TEXT_FIELD } from './text-field';

/** Opens what hides a place and focuses it. False when the window shows nothing of the kind. */
export async function goTo(view: ViewState, place: Place, filtered: boolean): Promise<boolean> {
  const found = await reveal(view, place, filtered);
  if (!found) return false;
  found.focus({ preventScroll: true });
  // A press of the pointer gives a button or a card the focus without a ring.
  if (!found.matches(':focus-visible')) {
    markFound(found);
    found.addEventListener('blur', () => markFound(), { once: true });
  }
  return true;
}

/** Whether the deck is drawn: a narrow window shows it or the preview. */
export const deckInSight = (): boolean =>
  (document.querySelector('[data-card]')?.getClientRects().length ?? 0) > 0;

/** Goes to the field for a name, its text selected, to be typed over. */
export async function goToName(view: ViewState, place: Place): Promise<void> {
  await goTo(view, place, false);
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) activeElement.select();
}

/** Asks for the name of a route that was just added. */
export function nameRoute(view: ViewState, route: string): Promise<void> {
  return goToName(view, { part: 'routes', route, field: NAME });
}

/** Goes to a message of the call document in use; after the last of its history comes the new one. */
export async function goToCallMessage(view: ViewState, row: number): Promise<void> {
  view.showConversation();
  await tick();
  const messages = document.querySelectorAll<HTMLElement>('[data-message]');
  const message = messages[Math.min(row, messages.length - 1)];
  message?.scrollIntoView({ block: 'nearest' });
  message?.querySelector<HTMLElement>(TEXT_FIELD)?.focus({ preventScroll: true });
}

/** Opens what hides a place and scrolls to it. The element found, which keeps the focus where it is. */
export async function reveal(
  view: ViewState,
  place: Place,
  filtered: boolean,
  block: ScrollLogicalPosition = 'nearest',
): Promise<HTMLElement | undefined> {
  view.showDeck();
  if (place.token !== undefined) view.tokens.draw(String(place.token));
  if (place.section !== undefined) {
    view.cards.draw(place.section);
    view.open(place.section);
    if (filtered && !view.openFiltered.has(place.section)) view.toggleFiltered(place.section);
    if (place.item !== undefined) view.showItems(place.section, place.item);
    // The sentence of the slider is edited beside the items.
    else if (place.field === 'scale_template' && !view.items.has(place.section)) {
      view.showItems(place.section, null);
    }
  } else if (place.part !== undefined) {
    view.open(partCard(place));
    if (place.part === 'routes') view.route = place.route ?? null;
  }
  await tick();
  const found = candidates(place)
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((element) => element !== null);
  if (!found) return undefined;
  // The name of an item is above its first field and has to be visible as well.
  if (place.field === undefined) {
    document.querySelector(rowOf(place))?.scrollIntoView({ block: 'nearest' });
  }
  found.scrollIntoView({ block });
  const card = found.closest('[data-card]');
  if (card && card.clientHeight < (card.closest('.scroll')?.clientHeight ?? 0)) {
    card.scrollIntoView({ block: 'nearest' });
  }
  return found;
}

/** The row that opens an item. */
function rowOf({ section, item }: Place): string {
  return `[data-place="${CSS.escape(anchorOf({ section, item }))}"]`;
}

/** The first field that edits an item: past its row, and past its name, which is in the row. */
function firstFieldOf({ section, item }: Place): string {
  const within = CSS.escape(anchorOf({ section, item, field: '' }).slice(0, -1));
  const name = CSS.escape(anchorOf({ section, item, field: NAME }));
  return `[data-place^="${within}"]:not(${rowOf({ section, item })}, [data-place="${name}"])`;
}

/** Reserved keys that share the card of what the registry says of itself. */
const OF_REGISTRY = new Set(['version', 'title', 'description', 'template_engine']);

/** The name under which a card of a reserved key is closed and opened. */
export function partCard({ part = '' }: Place): string {
  return `#${OF_REGISTRY.has(part) ? 'registry' : part}`;
}

/** What to look for, the narrowest first. */
function candidates(place: Place): string[] {
  if (place.token !== undefined) return [`[data-token="${place.token}"]`];
  if (place.part === 'routes') {
    const row = anchorOf({ part: 'routes', field: place.route ?? '' });
    const name = place.field === NAME ? [routeNameAnchor(place.route ?? '')] : [];
    return [
      ...[...name, row].map((anchor) => `[data-place="${CSS.escape(anchor)}"]`),
      `[data-card="${CSS.escape(partCard(place))}"]`,
    ];
  }
  const field = { ...place, entry: undefined, fragment: undefined };
  const whole = { ...field, field: undefined };
  const at = (each: Place) => `[data-place="${CSS.escape(anchorOf(each))}"]`;
  // A list has no field: its first row is used instead.
  const rows = `[data-place^="${CSS.escape(anchorOf(field))}"]`;
  const found = place.field === undefined ? [] : [at(place), at(field), rows];
  // An item is gone to in order to edit it.
  if (place.item !== undefined) found.push(firstFieldOf(place));
  found.push(at(whole));
  const card = place.section ?? (place.part === undefined ? undefined : partCard(place));
  return card === undefined ? found : [...found, `[data-card="${CSS.escape(card)}"]`];
}
