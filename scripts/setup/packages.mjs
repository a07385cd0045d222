// npm packages: installed as the lock file has them, again only when the lock file has changed.
import { join } from 'node:path';

import { root } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';

/** Sees to it that `node_modules` is what the lock file says. */
export const requirePackagesOfThePage = async () => {
  const stamp = join(root, 'node_modules', '.promptdeck-lock');
  const digest = digestOfFiles(join(root, 'package-lock.json'));
  if (isFresh(stamp, digest)) {
    unchanged('npm packages');
    return;
  }
  step('Installing npm packages');
  await run('npm', ['ci', '--no-fund', '--no-audit']);
  mark(stamp, digest);
};
