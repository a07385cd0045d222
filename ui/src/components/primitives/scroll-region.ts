// A scrolling element that holds nothing to focus becomes a tab stop while its content overflows, so
// that the arrow keys can scroll it (WebKit, unlike Chromium and Firefox, does not make it one).
import type { Attachment } from 'svelte/attachments';

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

export const scrollRegion: Attachment<HTMLElement> = (element) => {
  const update = () => {
    const overflows =
      element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
    if (overflows && !element.querySelector(FOCUSABLE)) element.tabIndex = 0;
    // Never under the focus: the next Tab would start from the top of the window.
    else if (document.activeElement !== element) element.removeAttribute('tabindex');
  };
  // Measured with the next frame: at once, each change of the content would lay the page out.
  let waiting: number | undefined;
  const updateSoon = () => {
    waiting ??= requestAnimationFrame(() => {
      waiting = undefined;
      update();
    });
  };
  // Also called once when it begins to observe.
  const resize = new ResizeObserver(update);
  resize.observe(element);
  const content = new MutationObserver(updateSoon);
  content.observe(element, { childList: true, subtree: true, characterData: true });
  return () => {
    if (waiting !== undefined) cancelAnimationFrame(waiting);
    resize.disconnect();
    content.disconnect();
  };
};
