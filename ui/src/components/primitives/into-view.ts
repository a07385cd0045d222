// Scrolls what appears into view, no further than needed.
import type { Attachment } from 'svelte/attachments';

export const intoView: Attachment<HTMLElement> = (element) => {
  element.scrollIntoView({ block: 'nearest' });
};
