// No-break spaces in dragged text. As on the clipboard (see exact-copy.ts), WebKitGTK turns them into ordinary
// spaces; the page remembers what is dragged from it and restores them at the drop.
import { NO_BREAK_SPACE, selectedText } from './exact-copy';
import { isPlain } from './text-field';

/** The words that are dragged, where they have no-break spaces. */
let dragged: string | undefined;

const asCarried = (text: string): string => text.replaceAll(NO_BREAK_SPACE, ' ');

/** A dropped text with the no-break spaces that it had where the drag began. */
export const exactDrop = (dropped: string): string =>
  dragged !== undefined && asCarried(dragged) === dropped ? dragged : dropped;

/** The text of a field before the browser drops words into it. */
let before: { field: EventTarget; text: string } | undefined;

/** The offset at which words were inserted into a text, from the text after it; -1 if there is none. */
function placeOf(words: string, text: string, became: string): number {
  const isHere = (at: number) => became.slice(0, at) + became.slice(at + words.length) === text;
  let at = became.indexOf(words);
  while (at >= 0 && !isHere(at)) at = became.indexOf(words, at + 1);
  return at;
}

/** Restores the no-break spaces where the browser itself inserts dropped words into a field. */
function mend({ type, target, inputType }: InputEvent): void {
  if (dragged === undefined || inputType !== 'insertFromDrop' || !isPlain(target)) return;
  if (type === 'beforeinput') {
    before = { field: target, text: target.value };
  } else if (before?.field === target) {
    const at = placeOf(asCarried(dragged), before.text, target.value);
    if (at >= 0) target.setRangeText(dragged, at, at + dragged.length, 'select');
  }
}

/** Remembers what is dragged; returns what stops that. */
export function keepDraggedText(root: Document): () => void {
  const begin = (event: DragEvent) => {
    const text = selectedText(event);
    dragged = text.includes(NO_BREAK_SPACE) ? text : undefined;
  };
  const end = () => (dragged = before = undefined);
  const input = (event: Event) => event instanceof InputEvent && mend(event);
  root.addEventListener('dragstart', begin);
  root.addEventListener('dragend', end);
  root.addEventListener('beforeinput', input, { capture: true });
  // Before the field's own listener takes its text.
  root.addEventListener('input', input, { capture: true });
  return () => {
    root.removeEventListener('dragstart', begin);
    root.removeEventListener('dragend', end);
    root.removeEventListener('beforeinput', input, { capture: true });
    root.removeEventListener('input', input, { capture: true });
  };
}
