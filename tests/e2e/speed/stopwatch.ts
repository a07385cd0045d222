// Times keystrokes inside the page: from the key event to the change of the preview, and to the
// frame that shows it. The page's clock ticks in whole milliseconds.
import type { WebDriver } from 'selenium-webdriver';

/** One keystroke, in milliseconds from its key event. */
export interface Keystroke {
  /** The preview had changed. */
  changed: number;
  /** The frame with the change was drawn. */
  drawn: number;
}

const START = `
  window.endStopwatch?.();
  const preview = document.querySelector('[aria-label="Evaluated prompt"]');
  const times = (window.keystrokes = []);
  let pressed;
  const press = (event) => { pressed = event.timeStamp; };
  addEventListener('keydown', press, true);
  const watch = new MutationObserver(() => {
    if (pressed === undefined) return;
    const from = pressed;
    pressed = undefined;
    const changed = performance.now() - from;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => times.push({ changed, drawn: performance.now() - from });
    requestAnimationFrame(() => channel.port2.postMessage(null));
  });
  watch.observe(preview, { subtree: true, childList: true, characterData: true });
  window.endStopwatch = () => {
    removeEventListener('keydown', press, true);
    watch.disconnect();
  };
`;

/** Begins to time every key that changes the preview. */
export const startStopwatch = (window: WebDriver): Promise<void> => window.executeScript(START);

/** What was timed so far. */
export const readStopwatch = (window: WebDriver): Promise<Keystroke[]> =>
  window.executeScript('return window.keystrokes');

/** The smallest value that this share of all values does not exceed. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN;
};
