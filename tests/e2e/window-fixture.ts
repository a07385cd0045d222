// The window that the tests of a file drive, and its home: one for all of them, or one for each.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { Home, Studio } from './studio';

/** The home of the window. */
export let home: Home;
/** The window. */
export let studio: Studio;

/** Opens the window again, which was closed or killed, with its home as it was left. */
export const reopen = async (): Promise<void> => {
  studio = await Studio.open(home);
};

/** Opens a separate window, with a separate home, for each test. */
export const opensForEach = (): void => {
  beforeEach(async () => {
    home = new Home();
    await reopen();
  });
  afterEach(async () => {
    await studio.close();
    await home.remove();
  });
};

/**
 * Opens the window before the tests and shows that registry; the first there is without one.
 * `prepare` changes what is found in the home.
 */
export const opens = (
  registry?: [title: string, file: string],
  prepare: (home: Home) => unknown = () => undefined,
): void => {
  beforeAll(async () => {
    home = new Home();
    await prepare(home);
    await reopen();
    if (registry) await studio.page.openRegistry(...registry);
  });
  afterAll(async () => {
    await studio.close();
    await home.remove();
  });
};
