// Moves the caches of cargo, npm and pip into the build folder where the home folder can't be
// written: a read-only home is no reason not to build.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { detail } from '../log.mjs';
import { nearestFolder, target } from '../paths.mjs';

const isWritable = (folder) => {
  try {
    accessSync(nearestFolder(folder), constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folder each program keeps its downloads in, by the variable that names another. */
const caches = () => ({
  CARGO_HOME: process.env.CARGO_HOME ?? join(homedir(), '.cargo'),
  npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
  PIP_CACHE_DIR: process.env.PIP_CACHE_DIR ?? join(homedir(), '.cache', 'pip'),
});

/** Sets the variables of the caches that can't be written to folders of the build folder. */
export const requireWritableCaches = () => {
  const moved = Object.entries(caches()).filter(([, folder]) => !isWritable(folder));
  for (const [variable] of moved) {
    const folder = join(target, 'caches', variable.toLowerCase());
    mkdirSync(folder, { recursive: true });
    process.env[variable] = folder;
  }
  if (moved.length > 0) {
    detail(`${homedir()} can't be written; downloads are kept in ${join(target, 'caches')}`);
  }
};
