// Places of the document that the palette goes to beside sections and items: fields, entries of the
// assembly order, and problems.
import type { DiagnosticNote } from '../ipc';
import { act, type Action } from './actions';
import { argumentNames, goToArgument } from './arguments';
import { inSight, placeWords, type Place } from '../document/place';
import { offsetOfProblem, placeOfProblem, problemOf } from '../document/problems';
import { isUnread } from '../document/unread-notes';
import type { DeckState } from '../state/deck.svelte';
import type { Studio } from '../state/studio.svelte';
import { goToUnread } from '../state/unread-fields';
import type { ViewState } from '../state/view.svelte';
import { text } from '../text';
import { goTo } from '../window/goto';
import { caretInField } from '../window/text-field';

/** How many problems are offered to be gone to. */
const PROBLEMS = 50;

/** Whether an injection leaves a section out, whose card is then opened for what is in it. */
export const isFiltered = ({ preview }: Studio, section: string | undefined): boolean =>
  (preview.bySection.get(section ?? '')?.filtered_by.length ?? 0) > 0;

/** Goes to where a problem is put right. */
export async function goToProblem(
  studio: Studio,
  deck: DeckState,
  view: ViewState,
  problem: DiagnosticNote,
): Promise<void> {
  if (isUnread(problem)) return goToUnread(studio, problem);
  const place = inSight(placeOfProblem(problem, deck.tree), deck);
  const found = await goTo(view, place, isFiltered(studio, place.section));
  if (found) caretInField((value) => offsetOfProblem(problem, value));
}

/** Fields, entries and problems, in the order of the document. */
export function deckPlaces(studio: Studio, deck: DeckState, view: ViewState): Action[] {
  const go = (place: Place) => void goTo(view, place, isFiltered(studio, place.section));
  const found: Action[] = [];
  for (const section of deck.names) {
    for (const item of deck.section(section)?.items ?? []) {
      for (const field of Object.keys(item.value)) {
        if (field === item.key) continue;
        found.push({
          ...act(`go-${section}-${item.index}.${field}`, `${section}.${item.name}.${field}`, () =>
            go({ section, item: item.index, field }),
          ),
          group: 'places',
          hint: text.completionKind.field,
          mono: true,
        });
      }
    }
  }
  deck.tokens.forEach((token, index) =>
    found.push({
      ...act(`go-token-${index}`, token, () => go({ token: index })),
      group: 'places',
      hint: text.completionKind.entry,
      mono: true,
    }),
  );
  for (const name of argumentNames(studio)) {
    found.push({
      ...act(
        `go-argument-${name}`,
        text.conversation.argument(name),
        () => void goToArgument(studio, view, name),
      ),
      group: 'places',
      hint: text.ofTheCall,
    });
  }
  studio.problems.slice(0, PROBLEMS).forEach((note, index) =>
    found.push({
      ...act(
        `go-problem-${index}`,
        problemOf(note, deck.tree).title,
        () => void goToProblem(studio, deck, view, note),
      ),
      group: 'problems',
      hint: placeWords(note.pointer, deck.tree).join(''),
    }),
  );
  return found;
}
