// Takes away what a test leaves behind. Test files share one document and all modules, because loading
// the page anew for each file takes longer than its tests.
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // A file that asks for Node has none.
  if (!('document' in globalThis)) return;
  document.body.replaceChildren();
  getSelection()?.removeAllRanges();
});
