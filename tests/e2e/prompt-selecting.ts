// What the tests that select in the prompt by hand share: each begins without a selection, and leaves no button
// pressed and no text open.
import { afterEach, beforeAll, beforeEach } from 'vitest';

import { leave, OPEN } from './printed-prompt';
import { studio } from './window-fixture';

export const pause = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The texts of the prompt that are open. */
export const opened = () => studio.page.lines(OPEN);

/** Registers what comes before and after each test of a file. */
export function beginsUnselected(): void {
  beforeAll(() => studio.pointer.focus());

  beforeEach(async () => {
    // Of what was pressed WebKit says only after it was left that the pointer is over it.
    await studio.pointer.park();
    await studio.window.executeScript('getSelection().removeAllRanges()');
  });

  afterEach(async () => {
    // Of a test that failed before it did.
    studio.pointer.release();
    if ((await opened()).length > 0) await leave();
  });
}
