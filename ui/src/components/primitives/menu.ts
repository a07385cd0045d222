// One row of a menu of actions.
import type { LucideIcon } from '@lucide/svelte';

/** An action with its words, icon and key. */
export interface MenuEntry {
  label: string;
  run: () => void;
  icon?: LucideIcon;
  /** The key that does the same, as `Ctrl+S`. */
  key?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Whether a hairline stands above it. */
  divided?: boolean;
}
