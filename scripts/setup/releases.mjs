// The releases of promptlibretto that imports are compared with, each in a Python environment of
// its own: two of them can't be installed side by side.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { releasePython, releases, root, target } from '../paths.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';
import { makeEnvironment } from './python.mjs';

/** Sees to it that the environments of all releases are there. */
export const requireReleases = async () => {
  let installed = false;
  for (const release of releases) {
    const name = `promptlibretto-${release}`;
    const requirements = join(root, 'tests', 'conformance', `requirements-${name}.txt`);
    const stamp = join(target, name, '.requirements');
    const digest = digestOfFiles(requirements);
    if (isFresh(stamp, digest) && existsSync(releasePython(release))) continue;
    step(`Installing promptlibretto ${release} to compare imports with`);
    await makeEnvironment(join(target, name), requirements);
    mark(stamp, digest);
    installed = true;
  }
  if (!installed) unchanged('The releases of promptlibretto to compare imports with');
};
