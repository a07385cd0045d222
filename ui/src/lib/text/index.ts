// Every word the page says, part by part. What comes from a registry or from the service is not here.
import { assembly } from './assembly';
import { chat } from './chat';
import { deck } from './deck';
import { importText } from './import';
import { palette } from './palette';
import { preview } from './preview';
import { run } from './run';
import { request } from './request';
import { settings } from './settings';
import { snapshots } from './snapshots';
import { undoLabels } from './undo-labels';
import { window } from './window';

export { formatTime, formatNumber, formatDate, plural } from './number-format';
export { when } from './run';

export const text = {
  ...window,
  ...assembly,
  ...deck,
  ...preview,
  ...run,
  ...request,
  chat,
  ...snapshots,
  ...palette,
  ...settings,
  undoLabels,
  ...importText,
} as const;
