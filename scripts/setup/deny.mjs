// `cargo-deny`, which checks crates for `npm run audit`: from crates.io in a fixed version, built once into
// the build folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { step, unchanged } from '../log.mjs';
import { tools } from '../paths.mjs';
import { run } from '../process.mjs';

const VERSION = '0.20.2';

/** The program. */
export const deny = join(tools, 'bin', 'cargo-deny');

/** Sees to it that it is there in the version the audit is written for. */
export const requireDeny = async () => {
  const installed = join(tools, '.crates.toml');
  if (
    existsSync(deny) &&
    existsSync(installed) &&
    readFileSync(installed, 'utf8').includes(`cargo-deny ${VERSION} `)
  ) {
    unchanged(`cargo-deny ${VERSION}`);
    return;
  }
  step(`Building cargo-deny ${VERSION}, which takes some minutes`);
  const source = ['--locked', '--root', tools, '--version', VERSION, 'cargo-deny'];
  // Compiled in a fraction of the time that an optimized one takes, and it has not much to do.
  await run('cargo', ['install', '--quiet', '--debug', ...source]);
};
