// Our own programs, built by cargo: the window and the command line together, so that what they
// share is compiled once, or the command line alone where there is no window to open.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { built, root, target } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfTrees, isFresh, mark } from '../stamp.mjs';

const sources = ['Cargo.toml', 'Cargo.lock', 'src-tauri', 'tests'].map((path) => join(root, path));

const build = async (name, packages, programs, ...inputs) => {
  const stamp = join(target, 'setup', name);
  const digest = digestOfTrees(...sources, ...inputs);
  if (isFresh(stamp, digest) && programs.every((program) => existsSync(built(program)))) {
    unchanged(`Programs: ${programs.join(', ')}`);
    return;
  }
  step(`Building ${programs.join(' and ')} (some minutes the first time)`);
  await run('cargo', ['build', '--locked', ...packages]);
  // Generated beside the sources by the build itself, hence read again.
  mark(stamp, digestOfTrees(...sources, ...inputs));
};

/** The window and the command line. The page must have been built. */
export const requirePrograms = () =>
  build('programs', ['--workspace'], ['promptdeck', 'promptdeck-studio'], join(root, 'ui', 'dist'));

/** The command line alone. */
export const requireCommandLine = () =>
  build('command-line', ['--package', 'promptdeck-cli'], ['promptdeck']);
