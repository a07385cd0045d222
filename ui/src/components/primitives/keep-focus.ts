// Keeps the focus near where it was when what had it is taken away or moved: a row deleted by a
// key, a card that changed its place. Without it the keyboard would start again at the top.
import type { Attachment } from 'svelte/attachments';

const REACHED =
  ':is(button, input, textarea, select, a[href], [tabindex="0"]):not(:disabled, [tabindex="-1"])';

/** The first, or last, thing the keyboard reaches in an element, itself included. */
function reached(node: Node, last = false): HTMLElement | undefined {
  if (!(node instanceof HTMLElement) || !node.isConnected) return undefined;
  if (node.matches(REACHED)) return node;
  return [...node.querySelectorAll<HTMLElement>(REACHED)].at(last ? -1 : 0);
}

/** What is reached first after a place, else last before it, among its neighbours. */
function beside(next: Node | null, before: Node | null): HTMLElement | undefined {
  for (; next; next = next.nextSibling) {
    const found = reached(next);
    if (found) return found;
  }
  for (; before; before = before.previousSibling) {
    const found = reached(before, true);
    if (found) return found;
  }
  return undefined;
}

/** Marks an element that the focus does not leave when what had it is taken away: whoever types there
    would press the buttons beside it. */
const REGION = '[data-keeps-focus]';

/** Lets a region have the focus as long as it stays there. */
function takesFocus(region: HTMLElement): HTMLElement {
  region.tabIndex = -1;
  region.addEventListener('blur', () => region.removeAttribute('tabindex'), { once: true });
  return region;
}

/** The element nearest to a removed one. */
function near(record: MutationRecord, root: Node): HTMLElement | undefined {
  let found = beside(record.nextSibling, record.previousSibling);
  for (let around = record.target; !found && around !== root; around = around.parentNode ?? root) {
    if (around instanceof HTMLElement && around.matches(REGION)) return takesFocus(around);
    found = beside(around.nextSibling, around.previousSibling);
  }
  return found;
}

/** Keeps the focus inside an element whose parts come and go. */
export const keepFocus: Attachment<HTMLElement> = (root) => {
  let focused: Element | undefined;
  const note = (event: FocusEvent) => {
    focused = event.target instanceof Element ? event.target : undefined;
  };
  const left = ({ target }: FocusEvent) => {
    // What is taken away may say so first; the observer has been called by then.
    setTimeout(() => {
      if (focused === target && document.activeElement !== target) focused = undefined;
    });
  };
  // A press puts the focus where it is meant to be, which may be nowhere.
  const pressed = () => {
    focused = undefined;
    // What was pressed may have had it before: then nothing tells that it has it still.
    setTimeout(() => {
      const { activeElement } = document;
      if (activeElement !== document.body && root.contains(activeElement)) {
        focused = activeElement ?? undefined;
      }
    });
  };
  const watch = new MutationObserver((records) => {
    const lost = focused;
    if (!lost || document.activeElement !== document.body) return;
    for (const record of records) {
      if (![...record.removedNodes].some((node) => node.contains(lost))) continue;
      const next = root.contains(lost) ? lost : near(record, root);
      if (!(next instanceof HTMLElement)) continue;
      // Not before the key that took it away is done with: it is not meant for what comes next.
      setTimeout(() => {
        if (document.activeElement === document.body) next.focus({ preventScroll: true });
      });
      return;
    }
  });
  root.addEventListener('focusin', note);
  root.addEventListener('focusout', left);
  // After a native context menu a press comes as `mousedown` alone.
  const presses = ['pointerdown', 'mousedown'];
  for (const kind of presses) addEventListener(kind, pressed, true);
  watch.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', note);
    root.removeEventListener('focusout', left);
    for (const kind of presses) removeEventListener(kind, pressed, true);
    watch.disconnect();
  };
};
