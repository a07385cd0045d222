// `npm run examples`: runs every example of examples/ with the Python package, in an environment of
// its own. Each compares its rows with those of one process.
import './setup/node.mjs';

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root, target } from './paths.mjs';
import { run } from './process.mjs';
import { main, step } from './log.mjs';
import { makeEnvironment } from './setup/python.mjs';
import { installWheel, requireWheel, wheelFile } from './setup/wheel.mjs';
import { digestOfFiles, isFresh, mark } from './stamp.mjs';

const folder = join(root, 'examples');
const requirements = join(folder, 'requirements.txt');
const rayRequirements = join(root, 'bindings', 'python', 'requirements-ray.txt');
const environment = join(target, 'examples', 'env');
const python = join(environment, 'bin', 'python');
const shared = 'single_process.py';

const requireEnvironment = async () => {
  const stamp = join(target, 'examples', '.requirements');
  const digest = digestOfFiles(requirements, rayRequirements);
  if (isFresh(stamp, digest) && existsSync(python)) return;
  step('Installing Ray, Sail, DuckDB and Polars (about a gigabyte)');
  await makeEnvironment(environment, requirements);
  mark(stamp, digest);
};

await main(async () => {
  await requireWheel();
  await requireEnvironment();
  await installWheel(python, wheelFile('dev'));
  step('Running the examples');
  const examples = readdirSync(folder).filter((name) => name.endsWith('.py') && name !== shared);
  // Servers report what they do on standard error.
  const env = { RUST_LOG: 'error' };
  for (const example of examples.sort()) await run(python, [join(folder, example)], { env });
});
