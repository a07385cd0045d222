// What is typed into fields of a deck and cannot be read yet, as problems beside those of lint.
import type { DiagnosticNote, Step } from '../ipc';
import { text } from '../text';
import { pointerOf } from './place';

/** A field with such words. */
export interface UnreadField {
  label: string;
  path: Step[];
  /** Why they cannot be read, if that was kept. */
  problem?: string;
}

/** An error for each field. */
export const unreadNotes = (fields: UnreadField[]): DiagnosticNote[] =>
  fields.map(({ label, path, problem }) => ({
    code: 'unread_text',
    severity: 'error',
    pointer: pointerOf(path),
    also: [],
    data: {},
    message: problem ?? text.unreadField(label),
    line: null,
    column: null,
  }));
