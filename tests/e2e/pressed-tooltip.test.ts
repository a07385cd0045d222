// The tooltip of what is pressed ends with the press: it would lie over the menu that opens. GTK draws
// it in a window of its own, at the display.
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

const MENU = '[aria-label="personas actions"]';
/** Longer than GTK waits before it shows a tooltip. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1500));

test.each(['shown', 'about to be shown'])(
  'a tooltip that is %s ends with a press',
  async (state) => {
    const { pointer, page } = studio;
    await pointer.park();
    await settled();
    const before = pointer.windows();
    await pointer.hover(MENU);
    if (state === 'shown') {
      await eventually(() => {
        expect(pointer.windows()).toBe(before + 1);
      });
    }
    pointer.press();
    pointer.release();
    await page.sees('[popover] [role=menuitem]');
    await settled();
    await studio.picture(`pressed-tooltip-${state.split(' ')[0] ?? ''}`);
    expect(pointer.windows()).toBe(before);
    pointer.key('Escape');
  },
);

test('the tooltip comes again once the pointer was elsewhere', async () => {
  const { pointer } = studio;
  await pointer.park();
  await settled();
  const before = pointer.windows();
  await pointer.hover(MENU);
  await eventually(() => {
    expect(pointer.windows()).toBe(before + 1);
  });
});
