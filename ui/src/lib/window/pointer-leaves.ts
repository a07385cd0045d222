// When the pointer leaves an element, also where what it was over there has been removed.
import type { Attachment } from 'svelte/attachments';

/**
 * Calls back when the pointer goes from an element to another one. `pointerleave` alone does not say so:
 * WebKit sends none once the node under the pointer is gone, as a text that is edited where it was
 * pressed, or a notice that was dismissed.
 */
export const pointerLeaves =
  (left: () => void): Attachment<Element> =>
  (element) => {
    let isInside = false;
    const come = (inside: boolean) => {
      if (isInside && !inside) left();
      isInside = inside;
    };
    const over = ({ target }: Event) => {
      come(target instanceof Node && element.contains(target));
    };
    const leave = () => {
      come(false);
    };
    document.addEventListener('pointerover', over);
    element.addEventListener('pointerleave', leave);
    return () => {
      document.removeEventListener('pointerover', over);
      element.removeEventListener('pointerleave', leave);
    };
  };
