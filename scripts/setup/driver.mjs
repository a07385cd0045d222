// `tauri-driver`, through which the end-to-end tests talk to the window; built once into the
// build folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { tools } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';

const version = '2.1.0';

/** The driver's program. */
export const driver = join(tools, 'bin', 'tauri-driver');

/** Sees to it that the driver is there in the version the tests are written for. */
export const requireDriver = async () => {
  const installed = join(tools, '.crates.toml');
  if (
    existsSync(driver) &&
    existsSync(installed) &&
    readFileSync(installed, 'utf8').includes(`tauri-driver ${version} `)
  ) {
    unchanged(`tauri-driver ${version}`);
    return;
  }
  step(`Building tauri-driver ${version}`);
  await run('cargo', [
    'install',
    '--quiet',
    '--locked',
    '--root',
    tools,
    '--version',
    version,
    'tauri-driver',
  ]);
};
