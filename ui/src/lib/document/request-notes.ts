// The diagnostics of a request, by what they are about.
import type { DiagnosticNote, RequestView } from '../ipc';

export function isError({ severity }: DiagnosticNote): boolean {
  return severity === 'error';
}

/** Those about the value at a JSON pointer, or about a part of it. */
export function notesAt(notes: DiagnosticNote[], pointer: string): DiagnosticNote[] {
  return notes.filter((note) => note.pointer === pointer || note.pointer.startsWith(`${pointer}/`));
}

/** The errors of a request beside the problem for which it cannot be built. */
export function errorsOf({ diagnostics, problem }: RequestView): DiagnosticNote[] {
  return diagnostics.filter((note) => isError(note) && note.code !== problem?.code);
}
