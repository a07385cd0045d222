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

/**
 * Marks ranges under a name of the styles. The name is there as long as it has ranges: for each name that
 * is, WebKit resolves a style for every text it paints, and a deck takes half as long again.
 */
function marker(name: string, priority: number): (ranges: readonly Range[]) => void {
  const marks = new Highlight();
  marks.priority = priority;
  return (ranges) => {
    marks.clear();
    for (const range of ranges) marks.add(range);
    if (ranges.length > 0) CSS.highlights.set(name, marks);
    // Another element may have taken its place.
    else if (CSS.highlights.get(name) === marks) CSS.highlights.delete(name);
  };
}

/** Marks what is wanted in an element; `name` is that of its highlights in the styles. */
export function marksWords(
  name: string,
  wanted: () => Wanted | undefined,
): Attachment<HTMLElement> {
  return (root) => {
    const [markAll, markCurrent] = [marker(name, 0), marker(`${name}-shown`, 1)];
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
      markAll(found);
      markFields(leadsTo);
      markCurrent(one ? [one] : []);
      if (!one) return;
      if (step !== seen) showRange(one);
      seen = step;
    }

    $effect(() => {
      const now = wanted();
      if (!now) {
        markAll([]);
        markCurrent([]);
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
      markAll([]);
      markCurrent([]);
    };
  };
}
