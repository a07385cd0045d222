// The focus from column to column: by a key, and where a tab takes the place of what had it.
import { tick } from 'svelte';
import type { Tab, ViewState } from '../state/view.svelte';

/** Where a column is entered the first time: at its first token, card, the tab that is shown, or the newest
    notice. */
const ENTRY =
  '[data-token][tabindex="0"], [data-card] [aria-expanded], [role="tab"][aria-selected="true"], .notice:last-child button';
const ELSE = ':is(button, input, textarea):not(:disabled, [tabindex="-1"])';

/** What had the focus in a column when it was left by key. */
const left = new WeakMap<Element, HTMLElement>();

/** Gives the focus to a column, where it is entered the first time. */
export function enterColumn(name: 'assembly' | 'deck' | 'preview'): void {
  const column = document.querySelector(`[data-column="${name}"]`);
  (column?.querySelector<HTMLElement>(ENTRY) ?? column?.querySelector<HTMLElement>(ELSE))?.focus();
}

/** Goes to the column after this one, or before it, to where the focus was in it; notices are one too. */
export function toColumn(by: 1 | -1): void {
  const columns = [...document.querySelectorAll('[data-column], [data-notices]:has(button)')];
  const { activeElement } = document;
  const at = columns.findIndex((column) => column.contains(activeElement));
  const from = columns[at];
  if (from && activeElement instanceof HTMLElement) left.set(from, activeElement);
  const next = columns.at(at < 0 && by < 0 ? -1 : (at + by) % columns.length);
  if (!next) return;
  const before = left.get(next);
  const target = before && next.contains(before) ? before : undefined;
  (
    target ??
    next.querySelector<HTMLElement>(ENTRY) ??
    next.querySelector<HTMLElement>(ELSE)
  )?.focus();
}

/**
 * Shows a tab of the preview. The focus stays; only what the tab takes the place of loses it to it, as
 * does another tab, from which arrows would lead on.
 */
export async function showTab(view: ViewState, tab: Tab): Promise<void> {
  view.show(tab);
  await tick();
  const { activeElement } = document;
  const isOnTab = activeElement?.matches('[data-column="preview"] [role="tab"]') ?? false;
  if (activeElement !== document.body && !isOnTab) return;
  document
    .querySelector<HTMLElement>('[data-column="preview"] [role="tab"][aria-selected="true"]')
    ?.focus();
}
