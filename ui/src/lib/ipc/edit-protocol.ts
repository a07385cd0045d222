// The way of an edit to the service: the page waits for the answer, so that what was typed and the
// prompt it makes are drawn in one frame. A page that asks and goes on draws what was typed first,
// and that takes longer than the service does. The window answers within a frame in any case: with
// a ticket when the edit takes longer, and only then the answer is a promise.
import { convertFileSrc, invoke } from '@tauri-apps/api/core';
import type { Change, EditGroup, PromptEditRequest } from './generated';

/** Applies edits; throws or rejects with a `Failure`. */
export const apply = (document: string, group: EditGroup): Change | Promise<Change> =>
  send('apply', 'apply', { document, group });

/** Makes an edit in the prompt; throws or rejects with a `Failure`. */
export const editPrompt = (
  document: string,
  request: PromptEditRequest,
): Change | Promise<Change> => send('prompt', 'edit_prompt', { document, request });

/** Sends an edit to a path of the scheme, or by a command where the page may not. */
function send(
  path: string,
  command: string,
  edit: { document: string; [name: string]: unknown },
): Change | Promise<Change> {
  const { status, answer } = ask(path, JSON.stringify(edit));
  if (status === 200) return answer as Change;
  if (status === 202) return invoke('applied', { ticket: answer });
  if (status === 422) throw answer;
  // The page may not ask this way, or what it heard is no answer. An edit that was applied
  // nevertheless is not applied twice: its base is over.
  return invoke(command, edit);
}

const ask = (path: string, body: string): { status: number; answer?: unknown } => {
  const request = new XMLHttpRequest();
  try {
    request.open('POST', convertFileSrc(path, 'edit'), false);
    request.send(body);
    return { status: request.status, answer: JSON.parse(request.responseText) };
  } catch {
    return { status: 0 };
  }
};
