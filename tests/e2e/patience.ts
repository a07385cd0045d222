// How long the window is given to show what it should: a loaded machine takes its time, and a test
// that waits for too long only fails later.
import { vi } from 'vitest';

/** In milliseconds. */
export const PATIENCE = 15_000;

/** Asks until it holds, and gives what it found; the last fault is thrown when it never does. */
export const eventually = <T>(check: () => T | Promise<T>, patience = PATIENCE): Promise<T> =>
  vi.waitFor(check, patience);
