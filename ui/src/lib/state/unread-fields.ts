// The fields of the open documents whose typed words cannot be read yet: as problems, on saving, and the
// way to them.
import { tick } from 'svelte';
import { at } from '../document/edit';
import { inSight, placeOfPointer } from '../document/place';
import { unreadNotes, type UnreadNote, type UnreadOwner } from '../document/unread-notes';
import { text } from '../text';
import { shortJson } from '../util/short-json';
import { showTab } from '../window/columns';
import type { Studio } from './studio.svelte';

const documentsOf = ({ deck, request, checks }: Studio) =>
  (
    [
      ['deck', deck],
      ['call', request.call],
      ['checks', checks.file],
    ] as const
  ).flatMap(([owner, document]) => (document ? [{ owner, document }] : []));

/** The fields as problems. */
export const unreadProblems = (studio: Studio): UnreadNote[] =>
  documentsOf(studio).flatMap(({ owner, document }) => unreadNotes(owner, document.unread.fields));

/** The fields whose values a prompt may print. */
export const unreadInPrompt = (studio: Studio): string[] =>
  unreadProblems(studio).flatMap(({ unread: { owner, field }, pointer }) => {
    const { part = '' } = placeOfPointer(pointer);
    const prints =
      owner === 'deck'
        ? !['generation', 'output_policy'].includes(part)
        : owner === 'call' && ['args', 'defaults'].includes(String(field.path[0]));
    return prints ? [field.label] : [];
  });

/** Goes to the field with such words. */
export async function goToUnread(studio: Studio, { unread, pointer }: UnreadNote): Promise<void> {
  const { deck, view, checks } = studio;
  if (!deck || !view) return;
  if (unread.owner === 'deck') {
    studio.goTo(inSight(placeOfPointer(pointer), deck));
    return;
  }
  const { anchor, path } = unread.field;
  if (unread.owner === 'checks') {
    if (typeof path[1] === 'number') checks.at = path[1];
    await showTab(view, 'checks');
    return;
  }
  view.showConversation();
  await tick();
  if (anchor === undefined) return;
  const field = document.querySelector<HTMLElement>(`[data-place="${CSS.escape(anchor)}"]`);
  field?.scrollIntoView({ block: 'nearest' });
  field?.focus({ preventScroll: true });
}

/** Says of which fields a save wrote another value than what is typed, and leads to the first. */
export function sayUnread(studio: Studio, saved?: UnreadOwner): void {
  for (const { owner, document } of documentsOf(studio)) {
    if (saved !== undefined && owner !== saved) continue;
    const { fields } = document.unread;
    const [first] = unreadNotes(owner, fields);
    if (!first) continue;
    const written = fields.map(({ label, path }) => ({
      label,
      value: shortJson(at(document.tree, path)),
    }));
    const show = { label: text.showUnread, run: () => void goToUnread(studio, first) };
    const isOver = () => document.unread.labels.length === 0;
    studio.notices.say('warn', text.unreadNotSaved(written), show, isOver);
  }
}
