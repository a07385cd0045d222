// The icons of the palette's rows: one per action where it has one of its own, else its group's.
import Camera from '@lucide/svelte/icons/camera';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import Copy from '@lucide/svelte/icons/copy';
import Dice from '@lucide/svelte/icons/dice-5';
import FileDown from '@lucide/svelte/icons/file-down';
import FileIcon from '@lucide/svelte/icons/file';
import History from '@lucide/svelte/icons/history';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Lock from '@lucide/svelte/icons/lock';
import Pencil from '@lucide/svelte/icons/pencil';
import Play from '@lucide/svelte/icons/play';
import Plug from '@lucide/svelte/icons/plug';
import Redo from '@lucide/svelte/icons/redo-2';
import Route from '@lucide/svelte/icons/route';
import Save from '@lucide/svelte/icons/save';
import Search from '@lucide/svelte/icons/search';
import Square from '@lucide/svelte/icons/square';
import Sun from '@lucide/svelte/icons/sun';
import Undo from '@lucide/svelte/icons/undo-2';
import Upload from '@lucide/svelte/icons/upload';
import WalletCards from '@lucide/svelte/icons/wallet-cards';
import type { LucideIcon } from '@lucide/svelte';
import type { Action, ActionGroup } from '$lib/state/actions';

const OWN: Record<string, LucideIcon> = {
  save: Save,
  import: FileDown,
  snapshot: Camera,
  snapshots: Camera,
  export: Upload,
  'export-file': Upload,
  roll: Dice,
  run: Play,
  stop: Square,
  'add-connection': Plug,
  'edit-connection': Plug,
  'last-seed': History,
  'lock-seed': Lock,
  lock: Lock,
  undo: Undo,
  redo: Redo,
  find: Search,
  palette: Search,
  copy: Copy,
  help: Keyboard,
  theme: Sun,
  new: FileIcon,
  duplicate: FileIcon,
  revert: History,
};

const GROUPS: Record<ActionGroup, LucideIcon> = {
  actions: ChevronRight,
  deck: Pencil,
  places: WalletCards,
  snapshots: Camera,
  routes: Route,
};

/** The icon of an action. */
export function iconOf({ id, group }: Action): LucideIcon {
  if (id.startsWith('open-')) return FileIcon;
  return (group === 'actions' ? OWN[id] : undefined) ?? GROUPS[group];
}
