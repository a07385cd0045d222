// The formats to choose from as the rows of a list, and back.
import type { ChatFamily, ChatModel, ChatSetup, ChatTemplate } from '$lib/ipc';
import { text } from '$lib/text';
import type { Option } from '../primitives/option';

const FAMILY = 'family:';
const FILE = 'file';
const FOLDER = 'folder';

/** The row of a format. */
export function valueOf(template: ChatTemplate): string {
  return template.kind === 'family' ? `${FAMILY}${template.family}` : template.kind;
}

/** The format of a row. */
function formatOf(value: string): ChatTemplate {
  if (value.startsWith(FAMILY)) return { kind: 'family', family: value.slice(FAMILY.length) };
  return { kind: value as 'model' | 'own' | 'other' };
}

/** What the author chose and wrote, then what is built in. */
export function formats(
  families: ChatFamily[],
  model: ChatModel | null,
  setup: ChatSetup,
): Option[] {
  const rows: Option[] = [];
  if (model) rows.push({ value: 'model', label: model.name });
  if (setup.text !== '' || setup.template.kind === 'own') {
    rows.push({ value: 'own', label: text.chat.ownTemplate });
  }
  const builtin = families.map(({ family, title }) => ({
    value: `${FAMILY}${family}`,
    label: title,
  }));
  return [...rows, ...builtin];
}

/** The rows that open a dialog. */
export function dialogs(file: string, folder: string): Option[] {
  return [
    { value: FILE, label: file },
    { value: FOLDER, label: folder },
  ];
}

/** Performs a row's action: chooses a file or folder, or selects a format. */
export function applyRow(
  value: string,
  choose: (folder: boolean) => void,
  use: (template: ChatTemplate) => void,
): void {
  if (value === FILE || value === FOLDER) choose(value === FOLDER);
  else use(formatOf(value));
}
