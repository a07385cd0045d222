// The Python package, built by maturin as a wheel and installed into an environment of its own,
// with the packages its tests take. Built again only when its sources have changed.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root, target, wheel, wheelPython } from '../paths.mjs';
import { run } from '../process.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfFiles, digestOfTrees, isFresh, mark } from '../stamp.mjs';
import { linting } from './clippy.mjs';
import { makeEnvironment } from './python.mjs';

const package_ = join(root, 'bindings', 'python');
const requirements = join(package_, 'requirements-test.txt');
const crates = ['python', 'pattern', 'jinja', 'json', 'chat', 'core', 'model'];

const sources = [
  ...['Cargo.toml', 'Cargo.lock', 'pyproject.toml', 'README.md', 'src', 'python'].map((name) =>
    join(package_, name),
  ),
  ...crates.flatMap((name) => [
    join(root, 'src-tauri', name, 'src'),
    join(root, 'src-tauri', name, 'Cargo.toml'),
  ]),
];

const pip = (python, ...args) =>
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...args]);

/** Sees to it that the environment holds maturin and what the tests take. */
const requireEnvironment = async () => {
  const stamp = join(wheel, '.requirements');
  const digest = digestOfFiles(requirements);
  if (isFresh(stamp, digest) && existsSync(wheelPython)) return;
  step('Installing what the wheel is built and tested with');
  await makeEnvironment(join(wheel, 'env'), requirements);
  mark(stamp, digest);
};

/** The folder of the wheel that was built in a profile of cargo. */
const wheelFolder = (profile) => join(wheel, 'dist', profile);

/** The wheel that was built in a profile of cargo. */
export const wheelFile = (profile) =>
  join(wheelFolder(profile), readdirSync(wheelFolder(profile))[0]);

/** Builds the wheel in a profile of cargo; gives its path. */
export const buildWheel = async (profile, { lint = false } = {}) => {
  await requireEnvironment();
  const folder = wheelFolder(profile);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const maturin = join(wheel, 'env', 'bin', 'maturin');
  const args = ['build', '--quiet', '--locked', '--profile', profile, '--out', folder];
  args.push('--manifest-path', join(package_, 'Cargo.toml'));
  if (lint) args.push('--', '-D', 'warnings');
  const env = { CARGO_TARGET_DIR: join(wheel, 'cargo'), ...(lint && linting) };
  await run(maturin, args, { env });
  return wheelFile(profile);
};

/** Installs a wheel into an environment, in the place of another version. */
export const installWheel = (python, file) => pip(python, '--no-deps', '--force-reinstall', file);

/** Sees to it that the environment has the wheel of the sources. */
export const requireWheel = async () => {
  const stamp = join(target, 'setup', 'wheel');
  const digest = () => `${digestOfTrees(...sources)} ${digestOfFiles(requirements)}`;
  if (isFresh(stamp, digest()) && existsSync(wheelPython)) {
    unchanged('The Python package');
    return;
  }
  step('Building the Python package (some minutes the first time)');
  await installWheel(wheelPython, await buildWheel('dev', { lint: true }));
  mark(stamp, digest());
};
