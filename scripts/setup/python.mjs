// A Python environment of our own that holds the packages of a list and no others.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../process.mjs';

/** Makes the environment anew; `options` go to pip. */
export const makeEnvironment = async (folder, requirements, ...options) => {
  rmSync(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...options,
    '-r',
    requirements,
  ]);
};
