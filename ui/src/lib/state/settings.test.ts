// The theme that the button in the top bar chooses next.
import { afterEach, expect, test, vi } from 'vitest';
import type { Backend } from '../ipc';
import { SettingsState } from './settings.svelte';

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [false, ['dark', 'light', 'system']],
  [true, ['light', 'dark', 'system']],
])('each press changes what is seen, until the system decides again (dark: %s)', (dark, wanted) => {
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: dark } as MediaQueryList);
  const settings = new SettingsState(
    { saveSettings: async () => undefined } as unknown as Backend,
    () => undefined,
  );
  const seen = wanted.map(() => {
    settings.change({ theme: settings.nextTheme });
    return settings.current.theme;
  });
  expect(seen).toEqual(wanted);
});
