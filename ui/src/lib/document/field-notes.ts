// The notes of lint on a field or one of its rows: what describes it, and which words are wrong.
import type { DiagnosticNote } from '../ipc';
import { registrySteps } from './place';
import { wrongWords } from './problems';

/** The step of a pointer that names an entry, behind section, items, item and field. */
const ENTRY = 4;

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
  const fieldNotes = notes.filter((note) => entry === undefined || isAbout(note, entry, value));
  const ids = fieldNotes.map((note) => noteId(id, notes.indexOf(note)));
  return {
    describedBy: ids.length > 0 ? ids.join(' ') : undefined,
    invalid: fieldNotes.some(({ severity }) => severity === 'error'),
    wrong: wrongWords(fieldNotes, value),
  };
}

/** Whether a note of a field is about an entry: it leads there, or to the field for words of the entry. */
function isAbout(note: DiagnosticNote, entry: number, value: string): boolean {
  const step = registrySteps(note.pointer)[ENTRY];
  return step === undefined ? wrongWords([note], value).length > 0 : step === `${entry}`;
}
