// A Python environment of our own with Ray and the wheel, pinned: a cluster of one machine that the
// wheel is tested on. About 630 MB.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ray, rayPython, root } from '../paths.mjs';
import { step } from '../log.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';
import { makeEnvironment } from './python.mjs';
import { installWheel, wheelFile } from './wheel.mjs';

const requirements = join(root, 'bindings', 'python', 'requirements-ray.txt');

/** Sees to it that the environment holds the pinned packages. */
export const requireRayPackages = async () => {
  const stamp = join(ray, '.requirements');
  const digest = digestOfFiles(requirements);
  if (!isFresh(stamp, digest) || !existsSync(rayPython)) {
    step('Installing Ray (about 630 MB)');
    await makeEnvironment(join(ray, 'env'), requirements);
    mark(stamp, digest);
  }
};

/** Sees to it that the environment holds the wheel that was built too. */
export const requireRay = async () => {
  await requireRayPackages();
  await installWheel(rayPython, wheelFile('dev'));
};
