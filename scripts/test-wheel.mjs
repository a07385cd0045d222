// `npm run test:wheel`: builds the wheel, type-checks its stubs as they are installed, and runs its
// tests. Part of `npm test`, which has built the program that writes the cases.
import './setup/node.mjs';

import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { built, oraclePython, rayPython, root, wheel, wheelPython } from './paths.mjs';
import { run, runBeside } from './process.mjs';
import { main } from './log.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { requireRay } from './setup/ray.mjs';
import { requireWheel, wheelFile } from './setup/wheel.mjs';

const folder = join(root, 'bindings', 'python');
const example = ['build', '--locked', '--quiet', '--workspace', '--example', 'conformance_cases'];

await main(async () => {
  await requireOracle();
  await requireWheel();
  await requireRay();
  await run('cargo', example);
  const archives = join(wheel, 'archives');
  mkdirSync(archives, { recursive: true });
  const env = {
    PROMPTDECK_CASES: built(join('examples', 'conformance_cases')),
    PROMPTDECK_ORACLE_PYTHON: process.env.PROMPTDECK_ORACLE_PYTHON ?? oraclePython,
    PROMPTDECK_ARCHIVES: archives,
    PROMPTDECK_RAY_PYTHON: rayPython,
    PROMPTDECK_WHEEL: wheelFile('dev'),
  };
  // It takes the environment of the first Python that it finds, whatever else it is told.
  const path = [dirname(wheelPython), process.env.PATH].join(delimiter);
  const pyright = join(root, 'node_modules', '.bin', 'pyright');
  const types = async () => {
    for (const args of [
      ['--verifytypes', 'promptdeck', '--ignoreexternal'],
      ['--project', folder],
    ]) {
      await runBeside(pyright, args, { env: { PATH: path } });
    }
  };
  const tests = run(wheelPython, ['-m', 'pytest', '--rootdir', folder, join(folder, 'tests')], {
    env,
  });
  // Each is at its end before the first failure is told.
  const ended = await Promise.allSettled([types(), tests]);
  for (const { status, reason } of ended) if (status === 'rejected') throw reason;
});
