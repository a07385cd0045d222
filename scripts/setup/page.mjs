// The page, built into the folder the window embeds; again only when its sources have changed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root, target } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfTrees, isFresh, mark } from '../stamp.mjs';

const built = join(root, 'ui', 'dist', 'index.html');
const sources = [
  'ui/src',
  'ui/index.html',
  'ui/vite.config.ts',
  'ui/tsconfig.json',
  'package-lock.json',
];

/** Sees to it that the built page is that of the sources. */
export const requirePage = async () => {
  const stamp = join(target, 'setup', 'page');
  const digest = digestOfTrees(...sources.map((path) => join(root, path)));
  if (isFresh(stamp, digest) && existsSync(built)) {
    unchanged('The page');
    return;
  }
  step('Building the page');
  await run('npm', ['run', '--silent', 'build:page']);
  mark(stamp, digest);
};
