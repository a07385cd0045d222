// Says which fields of the open documents a save left out, as what is typed there cannot be read yet,
// and leads to the first of them.
import { inSight, placeOfPointer } from '../document/place';
import { unreadNotes } from '../document/unread-notes';
import { text } from '../text';
import { showTab } from '../window/columns';
import type { Studio } from './studio.svelte';

export function sayUnread(studio: Studio): void {
  const { deck, request, checks, notices, view } = studio;
  const showField = () => {
    const first = deck && unreadNotes(deck.unread.fields)[0];
    if (first) studio.goTo(inSight(placeOfPointer(first.pointer), deck));
  };
  const showCheck = () => {
    const at = checks.file?.unread.fields[0]?.path[1];
    if (!view || typeof at !== 'number') return;
    checks.at = at;
    void showTab(view, 'checks');
  };
  for (const { document, run } of [
    { document: deck, run: showField },
    { document: request.call, run: () => view?.showConversation() },
    { document: checks.file, run: showCheck },
  ]) {
    const labels = document?.unread.labels ?? [];
    if (!document || labels.length === 0) continue;
    const isOver = () => document.unread.labels.length === 0;
    notices.say('warn', text.unreadNotSaved(labels), { label: text.showUnread, run }, isOver);
  }
}
