// What is typed into fields of the open documents and cannot be read yet, as problems beside those of
// lint.
import type { DiagnosticNote, Step } from '../ipc';
import { text } from '../text';
import { pointerOf } from './place';

/** A field with such words. */
export interface UnreadField {
  label: string;
  path: Step[];
  /** Why they cannot be read and what the value is instead, if that was kept. */
  problem?: string;
  /** How the element is marked that edits it, outside of the cards. */
  anchor?: string;
}

/** Which open document a field is in. */
export type UnreadOwner = 'deck' | 'call' | 'checks';

/** A problem that is not about a document but about what is typed beside it. */
export interface UnreadNote extends DiagnosticNote {
  unread: { owner: UnreadOwner; field: UnreadField };
}

export const isUnread = (note: DiagnosticNote): note is UnreadNote => 'unread' in note;

/** An error for each field. */
export const unreadNotes = (owner: UnreadOwner, fields: UnreadField[]): UnreadNote[] =>
  fields.map((field) => ({
    code: 'unread_text',
    severity: 'error',
    pointer: pointerOf(field.path),
    also: [],
    data: {},
    message: field.problem ?? text.unreadField(field.label),
    line: null,
    column: null,
    unread: { owner, field },
  }));
