// Restores the scroll position of a panel by what it shows: a hidden panel is destroyed, and created
// again when it is shown.
import type { Attachment } from 'svelte/attachments';

/** Stores the positions of all scrolling elements of a panel, and restores them under the same key. */
export function keepScroll(places: Map<string, number>, key: string): Attachment<HTMLElement> {
  return (panel) => {
    const scrollers = () => [...panel.querySelectorAll<HTMLElement>('.scroll')];
    // At once: what leads to a place in the panel scrolls there after this.
    for (const [index, scroller] of scrollers().entries()) {
      const top = places.get(`${key} ${index}`);
      if (top !== undefined) scroller.scrollTop = top;
    }
    const scrolled = ({ target }: Event) => {
      const index = scrollers().indexOf(target as HTMLElement);
      if (index >= 0) places.set(`${key} ${index}`, (target as HTMLElement).scrollTop);
    };
    panel.addEventListener('scroll', scrolled, true);
    return () => panel.removeEventListener('scroll', scrolled, true);
  };
}
