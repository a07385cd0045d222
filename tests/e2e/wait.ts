// Waits for the window up to a timeout: a loaded machine takes its time, and a test
// that waits too long only fails later.
import { vi } from 'vitest';

/** In milliseconds. */
export const TIMEOUT = 15_000;

/** Asks until it holds, and gives what it found; the last fault is thrown when it never does. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = TIMEOUT): Promise<T> =>
  vi.waitFor(check, timeout);
