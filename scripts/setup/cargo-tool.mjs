// Programs from crates.io that the scripts use, each in a fixed version, built once into the build
// folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { step, unchanged } from '../log.mjs';
import { tools } from '../paths.mjs';
import { run } from '../process.mjs';

/** Where such a program is. */
export const cargoTool = (name) => join(tools, 'bin', name);

/** Builds the program unless this version is there. */
export const requireCargoTool = async (name, version) => {
  const installed = join(tools, '.crates.toml');
  if (
    existsSync(cargoTool(name)) &&
    existsSync(installed) &&
    readFileSync(installed, 'utf8').includes(`${name} ${version} `)
  ) {
    unchanged(`${name} ${version}`);
    return;
  }
  step(`Building ${name} ${version}, which takes some minutes`);
  const source = ['--locked', '--root', tools, '--version', version, name];
  // Compiled in a fraction of the time that an optimized one takes, and none of them has much to do.
  await run('cargo', ['install', '--quiet', '--debug', ...source]);
};
