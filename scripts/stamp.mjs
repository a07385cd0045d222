// Remembers what a step was last done with, so that doing it again costs nothing. A stamp is a
// file holding a digest; it says nothing about whether what the step made is still good.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Digest of the contents of some files; a missing one counts as empty. */
export const digestOfFiles = (...files) => {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(existsSync(file) ? readFileSync(file) : '')
      .update('\0');
  return hash.digest('hex');
};

/** Digest of the names, sizes and times of all files below some files and folders. */
export const digestOfTrees = (...roots) => {
  const hash = createHash('sha256');
  const visit = (path) => {
    const info = statSync(path);
    if (info.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(`${path}\0${info.size}\0${info.mtimeMs}\0`);
  };
  roots.filter(existsSync).forEach(visit);
  return hash.digest('hex');
};

/** Whether the stamp holds this digest. */
export const isFresh = (stamp, digest) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

/** Writes the digest into the stamp. */
export const mark = (stamp, digest) => {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
};
