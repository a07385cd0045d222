// Who made the package and which version it is. A packager who publishes it sets the contact.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, target } from '../paths.mjs';
import { ask } from '../process.mjs';

const { version: upstream } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `.invalid` never resolves: nobody answers for a package that was built without a contact. */
const nobody = 'The Promptdeck authors <authors@promptdeck.invalid>';

/** The time that everything in the package bears, so that two builds of a commit are equal. */
const seconds =
  process.env.SOURCE_DATE_EPOCH ?? ask('git', ['log', '-1', '--format=%ct']) ?? '1767225600';

export const identity = {
  name: 'promptdeck',
  upstream,
  version: `${upstream}-1`,
  architecture: ask('dpkg', ['--print-architecture']) ?? 'amd64',
  maintainer: process.env.PROMPTDECK_MAINTAINER ?? nobody,
  homepage: process.env.PROMPTDECK_HOMEPAGE,
  time: new Date(Number(seconds) * 1000),
};

/** Where packages are made. */
export const folder = join(target, 'package');

/** The package as a file. */
export const deb = join(
  folder,
  `${identity.name}_${identity.version}_${identity.architecture}.deb`,
);
