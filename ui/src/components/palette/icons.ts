// The icons of the palette's rows: the action's, or else its group's.
import Camera from '@lucide/icons/icons/camera';
import ChevronRight from '@lucide/icons/icons/chevron-right';
import Copy from '@lucide/icons/icons/copy';
import Dice from '@lucide/icons/icons/dice-5';
import FileDown from '@lucide/icons/icons/file-down';
import FileIcon from '@lucide/icons/icons/file';
import History from '@lucide/icons/icons/rotate-ccw-clock';
import Keyboard from '@lucide/icons/icons/keyboard';
import Lock from '@lucide/icons/icons/lock';
import Pencil from '@lucide/icons/icons/pencil';
import Play from '@lucide/icons/icons/play';
import Plug from '@lucide/icons/icons/plug';
import Redo from '@lucide/icons/icons/redo-2';
import Route from '@lucide/icons/icons/route';
import Save from '@lucide/icons/icons/save';
import Monitor from '@lucide/icons/icons/monitor';
import Moon from '@lucide/icons/icons/moon';
import Search from '@lucide/icons/icons/search';
import Square from '@lucide/icons/icons/square';
import Sun from '@lucide/icons/icons/sun';
import TriangleAlert from '@lucide/icons/icons/triangle-alert';
import Undo from '@lucide/icons/icons/undo-2';
import Upload from '@lucide/icons/icons/upload';
import WalletCards from '@lucide/icons/icons/wallet-cards';
import type { LucideIconData } from '@lucide/icons';
import type { Action, ActionGroup } from '$lib/actions/actions';

const OWN: Record<string, LucideIconData> = {
  save: Save,
  import: FileDown,
  snapshot: Camera,
  snapshots: Camera,
  'restore-snapshot': History,
  export: Upload,
  'export-file': Upload,
  'prompt-file': Upload,
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
  copy: Copy,
  help: Keyboard,
  'theme-system': Monitor,
  'theme-light': Sun,
  'theme-dark': Moon,
  new: FileIcon,
  duplicate: FileIcon,
  revert: History,
};

const GROUPS: Record<ActionGroup, LucideIconData> = {
  actions: ChevronRight,
  deck: Pencil,
  places: WalletCards,
  problems: TriangleAlert,
  snapshots: Camera,
  routes: Route,
};

/** The icon of an action. */
export function iconOf({ id, group }: Action): LucideIconData {
  if (id.startsWith('open-')) return FileIcon;
  return (group === 'actions' ? OWN[id] : undefined) ?? GROUPS[group];
}
