// Free space on the disks that a build and the tests write to. A full disk shows as failures that
// name it nowhere (a display that does not start, a test file that does not load), hence said here.
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { detail } from '../log.mjs';
import { built, nearestFolder, target } from '../paths.mjs';

const GB = 1e9;
/** What a first build and its tests write, in bytes. */
const FIRST_BUILD = 12 * GB;
/** With less than this, in bytes, a failure may be the disk's. */
const NEARLY_FULL = 0.5 * GB;

const freeIn = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const inGB = (bytes) => `${(bytes / GB).toFixed(1)} GB`;

/** Says before a first build that the space may not suffice. */
export const warnOfLittleSpace = () => {
  const folder = nearestFolder(target);
  const free = freeIn(folder);
  if (existsSync(built('promptdeck')) || free >= FIRST_BUILD) return;
  detail(
    `${inGB(free)} free at ${folder}; a first build with its tests takes about ${inGB(FIRST_BUILD)}`,
  );
};

/** Names the folders whose disk is nearly full, in a line each. */
export const reportFullDisks = () => {
  for (const folder of new Set([nearestFolder(target), tmpdir()])) {
    const free = freeIn(folder);
    if (free < NEARLY_FULL)
      detail(`${inGB(free)} free at ${folder}: make room there, then run the tests again`);
  }
};
