// Scrolls through the deck from its top to its end, and times the frames.
import type { WebDriver } from 'selenium-webdriver';

const SCROLL = `
  const [step, done] = arguments;
  const scroller = document.querySelector('main .scroll');
  scroller.scrollTop = 0;
  const times = [];
  let before;
  const frame = (now) => {
    if (before !== undefined) times.push(now - before);
    before = now;
    const from = scroller.scrollTop;
    scroller.scrollTop = from + step;
    if (scroller.scrollTop > from) requestAnimationFrame(frame);
    else done(times);
  };
  requestAnimationFrame(frame);
`;

/** The times between the frames, in milliseconds, when each goes on by that many pixels. */
export const scrollThrough = (window: WebDriver, step: number): Promise<number[]> =>
  window.executeAsyncScript(SCROLL, step);
