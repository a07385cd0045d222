// What is wrong with the lock file of npm: packages without a checksum, from elsewhere than the
// registry, or under a licence that is not on the list. Reads the file, asks nobody.
//
// `.npmrc` has npm leave the registry's address out of the lock file
// (`omit-lockfile-registry-resolved`), so that it holds for every mirror: an entry without an
// address comes from the registry, one with an address is from somewhere else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../paths.mjs';

/** The registry, should an entry name it. */
const registry = 'https://registry.npmjs.org/';

/** Checksums that count. */
const integrity = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Licences that packages may have: those of `deny.toml`, that of the fonts, and BlueOak. */
const licences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Zlib',
]);

/** Whether an SPDX expression of `AND` and `OR` without nesting can be met by the list. */
const isAllowed = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((one) => licences.has(one.trim())));

const problemsOf = ([path, entry]) => {
  const problems = [];
  if (!integrity.test(entry.integrity ?? '')) problems.push('has no sha512 checksum');
  if (entry.resolved !== undefined && !entry.resolved.startsWith(registry))
    problems.push(`comes from ${entry.resolved}, not from the registry`);
  if (!isAllowed(entry.license ?? 'none'))
    problems.push(`has the licence ${entry.license ?? 'none'}, which is not on the list`);
  return problems.map((problem) => `${path} ${problem}`);
};

/** The problems of a lock file's packages and how many there are; links are our own folders. */
export const examine = (lock) => {
  const entries = Object.entries(lock.packages).filter(([path, entry]) => path && !entry.link);
  return { count: entries.length, problems: entries.flatMap(problemsOf) };
};

/** The same for the lock file of this repository. */
export const examineOurs = () =>
  examine(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
