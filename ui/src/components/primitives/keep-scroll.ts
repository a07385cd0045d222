// Where a panel was scrolled to when it was left, by what it showed: a panel that is not shown is not
// there, and begins anew when it comes back.
import type { Attachment } from 'svelte/attachments';

/** Keeps the places of everything in a panel that scrolls, and goes back to them under the same key. */
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
