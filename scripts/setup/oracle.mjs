// A Python environment of our own with the packages the conformance tests compare with, pinned, and
// the chat templates they are compared on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { oracle, oraclePython, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';
import { makeEnvironment } from './python.mjs';

const requirements = join(root, 'tests', 'conformance', 'requirements.txt');
const templates = join(root, 'tests', 'conformance', 'fetch_templates.py');

/** Sees to it that the environment holds exactly the pinned packages. */
export const requireOracle = async () => {
  const stamp = join(oracle, '.requirements');
  const digest = digestOfFiles(requirements, templates);
  if (isFresh(stamp, digest) && existsSync(oraclePython)) {
    unchanged('Python packages to compare with');
    return;
  }
  step('Installing the Python packages to compare with');
  await makeEnvironment(oracle, requirements);
  await run(oraclePython, [templates, join(oracle, 'templates')]);
  mark(stamp, digest);
};
