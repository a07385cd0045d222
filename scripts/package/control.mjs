// What dpkg is told of the package: the control file with what the programs need, the checksums.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { run, ask } from '../process.mjs';
import { folder, identity } from './identity.mjs';
import { withLoader } from './relocations.mjs';

const description = `build, check and export prompts composed from a deck of cards
 Promptdeck is a studio for authors of prompts for language models. A prompt
 is built from a deck of cards, one card per section, and the exact text that
 a model will receive is printed after every keystroke. Every random choice
 has a seed, so that any prompt can be reproduced.
 .
 The package contains promptdeck-studio, the window, and promptdeck, the
 command line, which hydrates, checks, measures and exports the same files in
 scripts and in continuous integration. Nothing is sent to a model until the
 author runs one.`;

/** The files below a folder, without links and what they lead to, in a fixed order. */
export const filesBelow = (path) =>
  readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return filesBelow(inside);
      return entry.isFile() ? [inside] : [];
    })
    .sort();

/** The packages that the libraries of the programs come from, as Debian's own builds find them. */
const dependencies = (tree) => {
  const place = join(folder, 'shlibs');
  mkdirSync(join(place, 'debian'), { recursive: true });
  // The tool reads the name of a source package and nothing else.
  writeFileSync(join(place, 'debian', 'control'), `Source: ${identity.name}\n`);
  const programs = ['promptdeck', 'promptdeck-studio'].map((name) => join(tree, 'usr/bin', name));
  const answer = ask('dpkg-shlibdeps', ['-O', ...programs.map((path) => `-e${path}`)], place);
  const [, packages] = /^shlibs:Depends=(.+)$/m.exec(answer ?? '') ?? [];
  if (!packages) throw new Error('dpkg-shlibdeps found no dependencies; run it by hand to see why');
  return withLoader(packages, programs);
};

/** Kilobytes on disk, as dpkg counts them. */
const installedSize = (files) =>
  files.reduce((total, file) => total + Math.ceil(lstatSync(file).size / 1024), 0);

const fields = (tree, files) => ({
  Package: identity.name,
  Version: identity.version,
  Section: 'devel',
  Priority: 'optional',
  Architecture: identity.architecture,
  Maintainer: identity.maintainer,
  'Installed-Size': installedSize(files),
  Depends: dependencies(tree),
  // Opens links in the browser and folders in the file manager.
  Recommends: 'xdg-utils',
  // Keeps keys of providers; checks the spelling of prose.
  Suggests: 'gnome-keyring, hunspell-en-us',
  ...(identity.homepage && { Homepage: identity.homepage }),
  Description: description,
});

/**
 * What is published is made small, with a window that reaches from one program to the other; what is
 * tried out is made soon.
 */
const compression = (profile) =>
  profile === 'release' ? ['-Zxz', '-z9', '-Sextreme'] : ['-Zgzip', '-z1'];

/** Writes `DEBIAN` into a tree with the programs of a profile and makes the package of it. */
export const pack = async (tree, deb, profile) => {
  const files = filesBelow(tree);
  const sum = (file) => createHash('md5').update(readFileSync(file)).digest('hex');
  const control = Object.entries(fields(tree, files)).map(([name, value]) => `${name}: ${value}\n`);
  mkdirSync(join(tree, 'DEBIAN'));
  writeFileSync(join(tree, 'DEBIAN', 'control'), control.join(''));
  const sums = files.map((file) => `${sum(file)}  ${relative(tree, file)}\n`);
  writeFileSync(join(tree, 'DEBIAN', 'md5sums'), sums.join(''));
  const env = { SOURCE_DATE_EPOCH: String(identity.time.getTime() / 1000) };
  const how = ['--root-owner-group', ...compression(profile)];
  await run('dpkg-deb', [...how, '--build', tree, deb], { env });
};
