// Every word the page says, part by part. What comes from a registry or from the service is not here.
import { assembly } from './assembly';
import { chat } from './chat';
import { deck } from './deck';
import { palette } from './palette';
import { preview } from './preview';
import { request } from './request';
import { settings } from './settings';
import { snapshots } from './snapshots';
import { steps } from './steps';
import { window } from './window';

export { clock, figure, moment, plural } from './figures';

export const text = {
  ...window,
  ...assembly,
  ...deck,
  ...preview,
  chat,
  ...request,
  ...snapshots,
  ...palette,
  ...settings,
  ...steps,
} as const;
