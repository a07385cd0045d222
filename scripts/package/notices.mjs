// The notices of everything that the programs contain: crates, packages of the page, fonts. Each
// licence text is printed once, under the names of all who use it.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../paths.mjs';
import { ask } from '../process.mjs';

const NOTICE = /^(licen[cs]e|copying|notice|unlicense|ofl)/i;

/** Tools of the build that leave code of their own in the page. */
const COMPILED_IN = ['node_modules/svelte', 'node_modules/@lucide/icons'];

const PROGRAMS = ['promptdeck-cli', 'promptdeck-studio'];

/** The crates that are linked into the programs: no build scripts, no tests. */
const crates = () => {
  const platform = ask('rustc', ['-vV']).match(/^host: (.+)$/m)[1];
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', platform];
  const { packages, resolve } = JSON.parse(ask('cargo', args));
  const about = new Map(packages.map((about) => [about.id, about]));
  const links = new Map(resolve.nodes.map((node) => [node.id, node.deps]));
  const found = new Set();
  const waiting = packages.filter(({ name }) => PROGRAMS.includes(name)).map(({ id }) => id);
  for (let id = waiting.pop(); id; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const { pkg, dep_kinds: kinds } of links.get(id))
      if (kinds.some(({ kind }) => kind === null)) waiting.push(pkg);
  }
  return [...found]
    .map((id) => about.get(id))
    .filter(({ source }) => source)
    .map(({ name, version, license, manifest_path: manifest }) => ({
      name: `crate ${name} ${version}`,
      license,
      folder: dirname(manifest),
    }));
};

/** The packages that the page is built from. */
const packages = () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path && (!dev || COMPILED_IN.includes(path)))
    .map(([path, { version, license }]) => ({
      name: `npm ${path.replace(/^.*node_modules\//, '')} ${version}`,
      license,
      folder: join(root, path),
    }))
    .filter(({ folder }) => existsSync(folder));
};

const textsOf = (folder) =>
  readdirSync(folder)
    .filter((name) => NOTICE.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim());

/** The whole file. */
export const notices = () => {
  const parts = [...crates(), ...packages()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const users = new Map();
  for (const { name, folder } of parts)
    for (const text of textsOf(folder)) users.set(text, [...(users.get(text) ?? []), name]);
  const list = parts.map(({ name, license }) => `${name}: ${license ?? 'see its text'}`);
  const texts = [...users].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const head = 'Promptdeck contains the work of others: crates of Rust, packages of npm, fonts.';
  return [[head, '', ...list].join('\n'), ...texts].join(`\n\n${'-'.repeat(72)}\n\n`) + '\n';
};
