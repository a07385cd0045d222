// One row of a menu of actions.
import type { LucideIconData } from '@lucide/icons';

/** An action with its words, icon and key. */
export interface MenuEntry {
  label: string;
  run: () => void;
  icon?: LucideIconData;
  /** The key that does the same, as `Ctrl+S`. */
  key?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Whether a separator is above it. */
  divided?: boolean;
}
