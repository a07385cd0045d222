// How the window looks: theme, zoom, column widths, wrap, spell check, which rows. Kept by the service;
// a change shows at once and is written a moment later.
import type { Backend, Settings, Theme } from '../ipc';
import { renamedBetween } from '../document/sections';
import { assignColors, inheritColor, restoreColors } from './section-color.svelte';

const DEFAULTS: Settings = {
  theme: 'system',
  columns: null,
  wrap: true,
  autosave: false,
  spell_check: true,
  zoom: 100,
  differences_only: null,
  evaluation_open: true,
  tints: {},
  connection: null,
};

/** Windows lower than this show differences only, until the author says otherwise. */
const LOW_WINDOW = 820;
const WRITE_AFTER = 400;

/** The steps of zoom, in percent. */
const ZOOMS = [50, 67, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

export const COLUMN_LIMITS = { assembly: [180, 420], preview: [360, 1600] } as const;

export class SettingsState {
  current = $state.raw<Settings>(DEFAULTS);
  /** The height of the window, for what depends on it. */
  height = $state(900);

  readonly differencesOnly = $derived(this.current.differences_only ?? this.height < LOW_WINDOW);

  #backend: Backend;
  #failed: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(backend: Backend, failed: (error: unknown) => void) {
    this.#backend = backend;
    this.#failed = failed;
  }

  /** Takes over what was kept. */
  restore(settings: Settings): void {
    this.current = settings;
    restoreColors(settings.tints);
  }

  change(part: Partial<Settings>): void {
    this.current = { ...this.current, ...part };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WRITE_AFTER);
  }

  #write(): void {
    this.#backend.saveSettings(this.current).catch(this.#failed);
  }

  /** Makes everything larger (1) or smaller (-1) by one step, or as drawn (0). */
  zoomBy(step: 1 | -1 | 0): void {
    const { zoom } = this.current;
    const next =
      step === 1
        ? ZOOMS.find((each) => each > zoom)
        : step === -1
          ? ZOOMS.findLast((each) => each < zoom)
          : DEFAULTS.zoom;
    if (next === undefined || next === zoom) return;
    this.change({ zoom: next });
    // The window takes it over as it is written: at once.
    clearTimeout(this.#timer);
    this.#write();
  }

  /** The theme after the one in use: from that of the system the other one, so that it is seen. */
  get nextTheme(): Theme {
    const { theme } = this.current;
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const [own, other]: [Theme, Theme] = isDark ? ['dark', 'light'] : ['light', 'dark'];
    return theme === 'system' ? other : theme === other ? own : 'system';
  }

  /** Gives a section that was renamed the hue it had. */
  inherit(before: string[], after: string[]): void {
    const renamed = renamedBetween(before, after);
    const tints = renamed && inheritColor(...renamed);
    if (tints) this.change({ tints });
  }

  /** Sees that each section has a hue, and keeps the new ones. */
  tint(sections: string[]): void {
    const tints = assignColors(sections);
    if (tints) this.change({ tints });
  }
}
