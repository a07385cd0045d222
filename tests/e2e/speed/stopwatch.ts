// Times keystrokes inside the page: from the key event to the last change that it made in the page
// before the next frame, and to the end of that frame. In the prompt the letter itself is there sooner,
// as WebKit writes it; counted is what the service answered. The page's clock ticks in whole
// milliseconds.
import type { WebDriver } from 'selenium-webdriver';

/** One keystroke, in milliseconds from its key event. */
export interface Keystroke {
  /** Prompt and cards had changed. */
  changed: number;
  /** The frame with the change was drawn. */
  drawn: number;
}

const START = `
  window.endStopwatch?.();
  const preview = document.querySelector('[aria-label="Evaluated prompt"]');
  const times = (window.keystrokes = []);
  let pressed;
  let key;
  const press = (event) => { pressed = event.timeStamp; };
  addEventListener('keydown', press, true);
  const begin = () => {
    if (pressed === undefined) return;
    key = { from: pressed };
    pressed = undefined;
    const one = key;
    const channel = new MessageChannel();
    channel.port1.onmessage = () =>
      times.push({ changed: one.changed, drawn: performance.now() - one.from });
    requestAnimationFrame(() => {
      key = undefined;
      channel.port2.postMessage(null);
    });
  };
  const note = () => { if (key) key.changed = performance.now() - key.from; };
  const kinds = { subtree: true, childList: true, characterData: true };
  const watch = new MutationObserver(begin);
  watch.observe(preview, kinds);
  const watchAll = new MutationObserver(note);
  watchAll.observe(document.body, { ...kinds, attributes: true });
  window.endStopwatch = () => {
    removeEventListener('keydown', press, true);
    watch.disconnect();
    watchAll.disconnect();
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
