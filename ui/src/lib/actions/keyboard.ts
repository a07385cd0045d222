// The keys of the window. Undo and redo are those of the document that has the focus; in a field whose
// text is in no document they are those of the field.
import { actions, keyOf } from './actions';
import type { Studio } from '../state/studio.svelte';
import { isEditable } from '../window/browser-menu';
import { isAmongReadOnly, isReadOnlyText, writes } from '../window/read-only';
import { text } from '../text';

/** The keys that undo and redo typing in a field. WebKitGTK itself has none. */
const TYPING: Readonly<Record<string, 'undo' | 'redo'>> = {
  'Ctrl+Z': 'undo',
  'Ctrl+Shift+Z': 'redo',
  'Ctrl+Y': 'redo',
};

/** A menu or a list of choices that is open: the window's keys would act behind it. */
const POPUP = '[data-takes-keys]';

/** What opens above such a list, which closes then. */
const ABOVE = new Set(['palette', 'help']);

function isText(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === 'text')
  );
}

/** The other document that undo and redo are meant for, as its actions end: the focus is on it. */
function otherDocument(target: EventTarget | null): 'call' | 'checks' | undefined {
  if (!(target instanceof Element)) return undefined;
  if (target.closest('[data-conversation]') !== null) return 'call';
  return target.closest('[data-checks]') !== null ? 'checks' : undefined;
}

/** Whether a key only types a character: no action has such a key, and none need be looked for. */
function isTyped(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** A long text is drawn by the page, which keeps the steps of one that is in no document. */
const isLongText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('[data-long-text]');

/** Whether a field's text is in no document: what is typed there is taken back there, unless what was done from it
    since then is. */
function isLoose(target: EventTarget | null): target is HTMLElement {
  if (!(isText(target) || isLongText(target)) || otherDocument(target)) return false;
  return (target as HTMLElement).closest('[data-place], [data-undoes-document]') === null;
}

const isEmpty = (field: HTMLElement): boolean => isText(field) && field.value === '';

/** Undoes or redoes a step of a field's own. */
function step(field: HTMLElement, kind: 'undo' | 'redo'): void {
  if (isLongText(field)) {
    const inputType = kind === 'undo' ? 'historyUndo' : 'historyRedo';
    field.dispatchEvent(
      new InputEvent('beforeinput', { inputType, bubbles: true, cancelable: true }),
    );
    return;
  }
  // Deprecated, and the only way to a field's own history, which nothing is going to replace.
  document.execCommand(kind);
}

/** Undoes or redoes the last edit of the deck, and says which: it may be out of sight. */
async function stepSaying({ deck, notices }: Studio, kind: 'undo' | 'redo'): Promise<void> {
  await deck?.settled();
  const step = deck?.status[kind];
  const change = await deck?.[kind]();
  if (change && step) notices.say('plain', text.stepped[kind](step.text));
}

/** Handles one key press. True when it was one of the studio's. */
export function press(studio: Studio, event: KeyboardEvent): boolean {
  if (writes(event) && isReadOnlyText(event.target)) {
    event.preventDefault();
    studio.notices.say('plain', text.textReadOnly);
    return true;
  }
  if (isTyped(event)) return false;
  const key = keyOf(event);
  const typing = TYPING[key];
  // The search of an editor is in its shadow root.
  const field = event.composedPath()[0] ?? event.target;
  if (typing && isLoose(field)) {
    event.preventDefault();
    const wasEmpty = isEmpty(field);
    step(field, typing);
    // What was typed into a field that is empty again may be in the document by now, as an entry that
    // was added: then that is taken back.
    if (!wasEmpty || !isEmpty(field)) return true;
  }
  if (key === 'Ctrl+A' && !isEditable(event.target)) {
    // All words of the window would be selected; the prompt is copied by its own key.
    event.preventDefault();
    return false;
  }
  if (studio.paletteOpen || studio.helpOpen || document.querySelector('dialog[open]')) return false;
  const behind = document.querySelector(POPUP) !== null;
  const pinned = /^Ctrl\+([1-9])$/.exec(key)?.[1];
  if (pinned !== undefined) {
    if (behind) return false;
    event.preventDefault();
    void studio.snapshots.switchToKey(Number(pinned));
    return true;
  }
  if (key === 'Escape' && studio.snapshots.open) {
    studio.snapshots.open = false;
    return true;
  }
  let action = actions(studio).find((each) => each.key === key || each.also?.includes(key));
  // Stopping a run or an answer comes before a line that only says something.
  if (!action && key === 'Escape' && !behind && studio.notices.dismissNewest()) return true;
  if (!action || (behind && !ABOVE.has(action.id))) return false;
  const other = otherDocument(event.target);
  const undoes = /^(un|re)do$/.test(action.id);
  const twin = other && undoes ? `${action.id}-${other}` : undefined;
  action = actions(studio).find((each) => each.id === twin) ?? action;
  event.preventDefault();
  const { id } = action;
  if (studio.deck && (id === 'undo' || id === 'redo') && isAmongReadOnly(event.target)) {
    void stepSaying(studio, id);
  } else action.run();
  return true;
}
