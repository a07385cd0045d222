// Dragged text to the byte. As on the clipboard (see exact-copy.ts), WebKitGTK makes ordinary spaces of
// no-break spaces in what is dragged: of its own words the page remembers what they are.
import { NO_BREAK_SPACE, selectedText } from './exact-copy';

/** The words that are dragged, where they have no-break spaces. */
let dragged: string | undefined;

const asCarried = (text: string): string => text.replaceAll(NO_BREAK_SPACE, ' ');

/** A text that was dropped as it was where its drag began. */
export const exactDrop = (dropped: string): string =>
  dragged !== undefined && asCarried(dragged) === dropped ? dragged : dropped;

/** The text of a field before the browser drops words into it. */
let before: { field: EventTarget; text: string } | undefined;

/** Where words were put into a text, as what became of it shows. */
function placeOf(words: string, text: string, became: string): number {
  const isHere = (at: number) => became.slice(0, at) + became.slice(at + words.length) === text;
  let at = became.indexOf(words);
  while (at >= 0 && !isHere(at)) at = became.indexOf(words, at + 1);
  return at;
}

/** Puts the words as they were where the browser itself drops them into a field. */
function mend({ type, target, inputType }: InputEvent): void {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  if (dragged === undefined || inputType !== 'insertFromDrop' || !isField) return;
  if (type === 'beforeinput') {
    before = { field: target, text: target.value };
  } else if (before?.field === target) {
    const at = placeOf(asCarried(dragged), before.text, target.value);
    if (at >= 0) target.setRangeText(dragged, at, at + dragged.length, 'select');
  }
}

/** Remembers what is dragged; gives what ends that. */
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
