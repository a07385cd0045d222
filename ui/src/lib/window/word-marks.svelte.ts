// Marks the words that Find looks for in an element that scrolls, and the one it shows more strongly. They
// are highlights of the browser, which change no element, and are looked for after a frame, so that no key
// waits for them.
import type { Attachment } from 'svelte/attachments';
import { afterFrame } from '../util/after-frame';
import { foundWords } from './found-words';
import { showRange } from './scroll-to';

/** What is marked. */
export interface Wanted {
  pattern: RegExp;
  /** How often one of them was gone to, which is scrolled into sight then. */
  step: number;
  /** Where that one is drawn. */
  current: (root: HTMLElement) => Range | undefined;
  /** Whether what is found leads to the field of this place: one of a line, whose words have no marks. */
  leadsTo?: (anchor: string) => boolean;
}

/** Marks what is wanted in an element; `name` is that of its highlights in the styles. */
export function marksWords(
  name: string,
  wanted: () => Wanted | undefined,
): Attachment<HTMLElement> {
  return (root) => {
    const [all, current] = [new Highlight(), new Highlight()];
    current.priority = 1;
    CSS.highlights.set(name, all);
    CSS.highlights.set(`${name}-shown`, current);
    let seen = 0;

    function markFields(leadsTo: Wanted['leadsTo']) {
      for (const field of root.querySelectorAll<HTMLElement>('input[data-place]')) {
        if (leadsTo?.(field.dataset.place ?? '')) field.dataset.holdsFound = '';
        else delete field.dataset.holdsFound;
      }
    }

    function draw({ pattern, step, current: find, leadsTo }: Wanted) {
      const found = foundWords(root, pattern);
      const one = find(root);
      all.clear();
      for (const range of found) all.add(range);
      markFields(leadsTo);
      current.clear();
      if (!one) return;
      current.add(one);
      if (step !== seen) showRange(one);
      seen = step;
    }

    $effect(() => {
      const now = wanted();
      if (!now) {
        all.clear();
        current.clear();
        markFields(undefined);
        return undefined;
      }
      // Text that cannot be selected is marked as a whole by WebKit.
      root.dataset.marked = '';
      let waits = false;
      let over = false;
      const soon = () => {
        if (waits) return;
        waits = true;
        afterFrame(() => {
          waits = false;
          if (!over) draw(now);
        });
      };
      soon();
      const changes = new MutationObserver(soon);
      changes.observe(root, { childList: true, characterData: true, subtree: true });
      const size = new ResizeObserver(soon);
      size.observe(root);
      root.addEventListener('scroll', soon, { passive: true });
      return () => {
        over = true;
        delete root.dataset.marked;
        changes.disconnect();
        size.disconnect();
        root.removeEventListener('scroll', soon);
      };
    });

    return () => {
      // Another element may have taken its place before this one goes.
      if (CSS.highlights.get(name) !== all) return;
      CSS.highlights.delete(name);
      CSS.highlights.delete(`${name}-shown`);
    };
  };
}
