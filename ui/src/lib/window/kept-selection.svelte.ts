// The selection of a field whose text is changed from outside while it has the focus, as by undo or by
// another program: the browser would put the caret at the end.
import { untrack } from 'svelte';
import { selectionAfter } from '../document/replacement';
import { isUndoing } from '../state/replica.svelte';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Keeps it while a component sets the text of its field. */
export function keepSelection(field: () => Field | undefined, text: () => string): void {
  let before: { text: string; start: number; end: number } | undefined;
  $effect.pre(() => {
    const next = text();
    const element = untrack(field);
    before = undefined;
    if (!element || element.value === next || document.activeElement !== element) return;
    const { value, selectionStart: start, selectionEnd: end } = element;
    if (start !== null && end !== null) before = { text: value, start, end };
  });
  $effect(() => {
    const next = text();
    const element = untrack(field);
    if (!before || element?.value !== next) return;
    const { start, end } = selectionAfter(before.text, next, before, isUndoing());
    element.setSelectionRange(start, end);
  });
}
