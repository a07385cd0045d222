// Links the texts on the cards to their print: the one that is pointed at or has the focus is known
// to the preview, and the one whose print is pointed at there is lit.
import type { Attachment } from 'svelte/attachments';
import { anchorOf, textOfAnchor, type Place } from '$lib/document/place';
import type { PreviewState } from '$lib/state/preview.svelte';

/** The text that is edited where the event happened. */
function textAt({ target }: Event): Place | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = target.closest<HTMLElement>('[data-place], [data-text-row]');
  const field = row?.matches('[data-place]')
    ? row
    : row?.querySelector<HTMLElement>('[data-place]');
  return field?.dataset.place === undefined ? undefined : textOfAnchor(field.dataset.place);
}

const isSame = (one: Place | undefined, other: Place | undefined): boolean =>
  one && other ? anchorOf(one) === anchorOf(other) : one === other;

/** Follows pointer and focus with one listener each: a deck may show thousands of fields. */
export function pointedText(preview: PreviewState): Attachment<HTMLElement> {
  return (deck) => {
    const over = (event: Event) => {
      const text = textAt(event);
      // Most moves stay within a text; the prompt is searched once for each.
      if (!isSame(text, preview.hovered)) preview.hovered = text;
    };
    const left = () => (preview.hovered = undefined);
    const focusin = (event: Event) => (preview.focused = textAt(event));
    const focusout = () => (preview.focused = undefined);
    const listeners = { pointerover: over, pointerleave: left, focusin, focusout };
    for (const [name, each] of Object.entries(listeners)) deck.addEventListener(name, each);

    return () => {
      for (const [name, each] of Object.entries(listeners)) deck.removeEventListener(name, each);
    };
  };
}

/** Lights the text whose print is pointed at. */
export function litText(preview: PreviewState): Attachment<HTMLElement> {
  return (deck) => {
    const anchor = preview.pointed && CSS.escape(anchorOf(preview.pointed));
    const field = anchor && deck.querySelector<HTMLElement>(`[data-place="${anchor}"]`);
    if (!field) return undefined;
    const row = field.closest<HTMLElement>('[data-text-row]');
    field.dataset.lit = '';
    if (row) row.dataset.litRow = '';
    return () => {
      delete field.dataset.lit;
      delete row?.dataset.litRow;
    };
  };
}
