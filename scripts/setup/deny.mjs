// `cargo-deny`, which checks crates for `npm run audit`; built once into the build folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { tools } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';

const version = '0.20.2';

/** The program. */
export const deny = join(tools, 'bin', 'cargo-deny');

/** Builds it unless this version is there. */
export const requireDeny = async () => {
  const installed = join(tools, '.crates.toml');
  if (
    existsSync(deny) &&
    existsSync(installed) &&
    readFileSync(installed, 'utf8').includes(`cargo-deny ${version} `)
  ) {
    unchanged(`cargo-deny ${version}`);
    return;
  }
  step(`Building cargo-deny ${version}, which takes some minutes`);
  await run('cargo', [
    'install',
    '--quiet',
    '--locked',
    '--root',
    tools,
    '--version',
    version,
    'cargo-deny',
  ]);
};
