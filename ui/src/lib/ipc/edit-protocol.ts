// The way of an edit to the service: the page waits for the answer, so that what was typed and the
// prompt it makes are drawn in one frame. A page that asks and goes on draws what was typed first,
// and that takes longer than the service does. The window answers within a frame in any case: with
// a ticket when the edit takes longer.
import { convertFileSrc, invoke } from '@tauri-apps/api/core';
import type { EditGroup, Change } from './generated';

/** Applies edits; rejects with a `Failure`. */
export const apply = async (document: string, group: EditGroup): Promise<Change> => {
  const { status, answer } = ask(JSON.stringify({ document, group }));
  if (status === 200) return answer as Change;
  if (status === 202) return invoke('applied', { ticket: answer });
  if (status === 422) throw answer;
  // The page may not ask this way, or what it heard is no answer. An edit that was applied
  // nevertheless is not applied twice: its base is over.
  return invoke('apply', { document, group });
};

const ask = (body: string): { status: number; answer?: unknown } => {
  const request = new XMLHttpRequest();
  try {
    request.open('POST', convertFileSrc('apply', 'edit'), false);
    request.send(body);
    return { status: request.status, answer: JSON.parse(request.responseText) };
  } catch {
    return { status: 0 };
  }
};
