// Every word the page says, part by part. What comes from a registry or from the service is not here.
import { assembly } from './assembly';
import { chat } from './chat';
import { checks } from './checks';
import { damaged } from './damaged';
import { deck } from './deck';
import { files } from './files';
import { starters } from './starters';
import { newRegistryText } from './new-registry';
import { guide } from './guide';
import { impact } from './impact';
import { palette } from './palette';
import { preview } from './preview';
import { profile } from './profile';
import { run } from './run';
import { request } from './request';
import { settings } from './settings';
import { snapshots } from './snapshots';
import { talk } from './talk';
import { undoLabels } from './undo-labels';
import { unread } from './unread';
import { window } from './window';

export { formatClock, formatTime, formatNumber, formatDate, plural } from './number-format';
export { when } from './run';

export const text = {
  ...window,
  ...assembly,
  ...deck,
  ...preview,
  ...run,
  ...request,
  chat,
  checks,
  damaged,
  guide,
  impact,
  files,
  profile,
  talk,
  ...snapshots,
  ...palette,
  ...settings,
  ...unread,
  undoLabels,
  ...newRegistryText,
  starters,
} as const;
