// Tooltips that would be in the way are withheld: of what was pressed, while a menu is open, and
// where the same text is fully visible. The browser shows whatever `title` says, so it is
// taken off while the pointer is there and put back when the pointer leaves.

/** Whether an element shows all of what its tooltip says. */
function repeats(element: HTMLElement, words: string): boolean {
  if (element.textContent.trim() !== words.trim()) return false;
  const parts = [element, ...element.querySelectorAll<HTMLElement>('*')];
  return parts.every((part) => part.scrollWidth <= part.clientWidth);
}

function withhold(element: HTMLElement): void {
  const words = element.title;
  if (words === '') return;
  element.removeAttribute('title');
  element.addEventListener(
    'pointerleave',
    () => {
      // A title set meanwhile stays.
      if (!element.hasAttribute('title')) element.title = words;
    },
    { once: true },
  );
}

/** The elements around a target whose tooltips the browser may show. */
function titled(target: EventTarget | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  let at = target instanceof Element ? target.closest<HTMLElement>('[title]') : null;
  for (; at; at = at.parentElement?.closest<HTMLElement>('[title]') ?? null) found.push(at);
  return found;
}

/** Withholds tooltips in a document; gives what ends that. */
export function withholdTooltips(root: Document): () => void {
  const press = (event: Event) => titled(event.target).forEach(withhold);
  const enter = (event: Event) => {
    const popup = root.querySelector('[popover]');
    for (const element of titled(event.target)) {
      if ((popup && !popup.contains(element)) || repeats(element, element.title)) withhold(element);
    }
  };
  // A popup that a key opened may lie under the pointer's tooltip.
  const toggle = (event: Event) => {
    const popup = event.target;
    const isOpen = (event as ToggleEvent).newState === 'open';
    if (!(popup instanceof HTMLElement) || !isOpen) return;
    for (const element of root.querySelectorAll<HTMLElement>('[title]:hover')) {
      if (!popup.contains(element)) withhold(element);
    }
  };
  root.addEventListener('toggle', toggle, true);
  root.addEventListener('pointerdown', press, true);
  root.addEventListener('pointerover', enter, true);
  return () => {
    root.removeEventListener('toggle', toggle, true);
    root.removeEventListener('pointerdown', press, true);
    root.removeEventListener('pointerover', enter, true);
  };
}
