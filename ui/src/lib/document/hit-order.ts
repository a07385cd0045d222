// Which hit of Find comes first from a place on: hits are in the order in which the deck is read.
import type { JsonValue } from '../ipc';
import type { Hit } from './find';
import type { Place } from './place';
import { registryOf, sectionOf } from './registry';

/** Where a search begins: a place, and how far into its text. */
export interface SearchStart {
  place: Place;
  /** In UTF-16 units. */
  offset: number;
}

/** The cards of the registry's own settings, after those of the sections. */
const PARTS = ['registry', 'title', 'description', 'routes', 'generation', 'output_policy'];

/** The index of the first hit at the start or after it; -1 if all are before. */
export function firstFrom(
  hits: readonly Hit[],
  { place: start, offset }: SearchStart,
  tree: JsonValue,
  sections: readonly string[],
): number {
  const cards = new Map(
    [...sections, ...PARTS.map((part) => `#${part}`)].map((card, n) => [card, n]),
  );
  const cardOf = ({ section, part }: Place) => cards.get(section ?? `#${part ?? ''}`) ?? 0;
  const item = sectionOf(registryOf(tree), start.section ?? '')?.items[start.item ?? -1];
  // The name of an item is above its fields.
  const fields = Object.keys(item?.value ?? {});
  const card = cardOf(start);

  return hits.findIndex(({ place, match }) => {
    const byCard = cardOf(place) - card;
    if (byCard !== 0 || start.item === undefined) return byCard >= 0;
    const byItem = (place.item ?? -1) - start.item;
    if (byItem !== 0 || start.field === undefined) return byItem >= 0;
    const byField = fields.indexOf(place.field ?? '') - fields.indexOf(start.field);
    if (byField !== 0) return byField > 0;
    const byEntry = (place.entry ?? place.fragment ?? -1) - (start.entry ?? start.fragment ?? -1);
    return byEntry !== 0 ? byEntry > 0 : (match?.start ?? 0) >= offset;
  });
}
