// What lint says of a field, and of which of its rows: what describes them, and which words are wrong.
import type { DiagnosticNote } from '../ipc';
import { placesOf } from './place';
import { wrongWords } from './problems';

/** What a control shows of the notes about it. */
export interface NotedField {
  /** The ids of the notes; none without any. */
  describedBy: string | undefined;
  /** Whether one of them is an error. */
  invalid: boolean;
  /** The words that are wrong, as they are written in the text. */
  wrong: string[];
}

/** The id of a note, by that of the notes of its field. */
export const noteId = (id: string, index: number): string => `${id}-${String(index)}`;

/** What a field shows of its notes, or the row of one of its entries or fragments. */
export function notedField(
  notes: readonly DiagnosticNote[],
  id: string,
  value: string,
  entry?: number,
): NotedField {
  const own = notes.filter((note) => entry === undefined || isAbout(note, entry, value));
  const ids = own.map((note) => noteId(id, notes.indexOf(note)));
  return {
    describedBy: ids.length > 0 ? ids.join(' ') : undefined,
    invalid: own.some(({ severity }) => severity === 'error'),
    wrong: wrongWords(own, value),
  };
}

/** Whether a note of a field is about an entry: it leads there, or to the field for words of the entry. */
function isAbout(note: DiagnosticNote, entry: number, value: string): boolean {
  const places = placesOf(note);
  const field = places[0]?.slice(0, 4).join('/');
  return places.some((steps) => {
    if (steps.slice(0, 4).join('/') !== field) return false;
    return steps[4] === undefined ? wrongWords([note], value).length > 0 : steps[4] === `${entry}`;
  });
}
