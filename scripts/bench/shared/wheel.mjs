// What the benchmarks of the Python package share: an environment with the release wheel and the
// packages it is compared with, and the table of ratios.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root, wheel } from '../../paths.mjs';
import { stop } from '../../log.mjs';
import { makeEnvironment } from '../../setup/python.mjs';
import { buildWheel, installWheel } from '../../setup/wheel.mjs';
import { digestOfFiles, isFresh, mark } from '../../stamp.mjs';

const environment = join(wheel, 'bench');
const python = join(environment, 'bin', 'python');
const requirements = ['requirements-bench.txt', 'requirements-ray.txt'].map((name) =>
  join(root, 'bindings', 'python', name),
);
const stamp = join(wheel, '.requirements-bench');
const most = 1 << 26;

/** Sees to it that the environment has the release wheel of the sources; gives the wheel's path. */
export const requireBenchEnvironment = async () => {
  if (!isFresh(stamp, digestOfFiles(...requirements)) || !existsSync(python)) {
    await makeEnvironment(environment, requirements[0]);
    mark(stamp, digestOfFiles(...requirements));
  }
  const file = await buildWheel('release');
  await installWheel(python, file);
  return file;
};

/** Runs a script of scripts/bench in the environment; gives the JSON that it prints. */
export const measured = (script, args, input) => {
  const { status, stdout, stderr } = spawnSync(
    python,
    [join(root, 'scripts', 'bench', script), ...args],
    { input, encoding: 'utf8', maxBuffer: most },
  );
  if (status !== 0) stop(`${script} ended with exit status ${status}: ${stderr}`);
  return JSON.parse(stdout);
};

/** Whether a goal is reached, for a row. */
export const verdict = (reached) => (reached ? 'reached' : 'MISSED');

/** Prints times of both sides in a unit, their ratio, and the goal; `goal` 1 is to be ahead. */
export const printRatios = (rows, unit, digits) => {
  const cells = rows.map(({ name, ours, theirs, goal }) => [
    name,
    {
      [`theirs ${unit}`]: digits(theirs),
      [`promptdeck ${unit}`]: digits(ours),
      ratio: `${(theirs / ours).toFixed(1)}x`,
      goal: goal ? `${goal}x ${verdict(theirs >= goal * ours)}` : '',
    },
  ]);
  console.table(Object.fromEntries(cells));
};
