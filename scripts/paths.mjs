// Where things are: the repository, the build folder, the programs built into it. Decides nothing.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
export const tools = join(target, 'tools');
export const oracle = join(target, 'oracle');
export const servers = join(target, 'servers');
export const wheel = join(target, 'wheel');
export const ray = join(target, 'ray');
export const registries = join(root, 'registries');

/** The folder itself if it exists, else the nearest above it that does. */
export const nearestFolder = (folder) =>
  existsSync(folder) ? folder : nearestFolder(dirname(folder));

/** A program of ours, as built in a profile (`debug` or `release`). */
export const built = (program, profile = 'debug') => join(target, profile, program);

/** The Python that has the packages the conformance tests compare with. */
export const oraclePython = join(oracle, 'bin', 'python');

/** The Python that has the model server the providers are tested against. */
export const serversPython = join(servers, 'bin', 'python');

/** The Python that has the wheel and what its tests take. */
export const wheelPython = join(wheel, 'env', 'bin', 'python');

/** The Python that has Ray and the wheel. */
export const rayPython = join(ray, 'env', 'bin', 'python');

/** The manifests of all workspaces of ours, each with a lock file. */
export const manifests = [
  'Cargo.toml',
  'fuzz/Cargo.toml',
  'bindings/python/Cargo.toml',
  'scripts/parity/peers/Cargo.toml',
];

/** The releases of promptlibretto whose registries can be imported, but for the one in `oracle`. */
export const releases = ['0.5', '0.7', '0.8'];

/** The Python that has such a release. */
export const releasePython = (release) =>
  join(target, `promptlibretto-${release}`, 'bin', 'python');
