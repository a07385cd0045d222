// `npm run test:crates`: packages the crates that are made to be published, unpacks them outside the
// workspace, and builds and tests what was packaged, each depending on the packages of the others.
import './setup/node.mjs';

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root, target } from './paths.mjs';
import { ask, run } from './process.mjs';
import { main, step, stop, unchanged } from './log.mjs';

/** Each after those it depends on. */
const crates = ['python', 'json', 'jinja', 'chat'].map((name) => `promptdeck-${name}`);

/** What a package may hold. */
const expected =
  /^(\.cargo_vcs_info\.json|Cargo\.lock|Cargo\.toml|Cargo\.toml\.orig|LICENSE|README\.md|COMPATIBILITY\.md|src\/.+\.(rs|snap))$/;

/** What would change serde_json for every user of a program. */
const forbidden = 'arbitrary_precision';

const packages = join(target, 'packages');
const version = /^version = "(.+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];
const chosen = crates.flatMap((name) => ['--package', name]);

const checkFiles = (name) => {
  const args = ['package', '--locked', '--allow-dirty', '--list', '--package', name];
  const files = ask('cargo', args)?.split('\n') ?? stop(`${name} cannot be packaged`);
  const others = files.filter((file) => !expected.test(file));
  if (others.length > 0) stop(`${name} would be published with ${others.join(', ')}`);
  for (const file of ['LICENSE', 'README.md', 'src/lib.rs']) {
    if (!files.includes(file)) stop(`${name} would be published without ${file}`);
  }
  unchanged(`${name} ${version}: ${files.length} files`);
};

/** Runs cargo on an unpacked crate, whose dependencies on the others are the unpacked ones. */
const cargoIn = (folder, name) => {
  const at = (crate) => join(folder, `${crate}-${version}`);
  const manifest = ['--manifest-path', join(at(name), 'Cargo.toml')];
  const patches = crates
    .filter((other) => other !== name)
    .flatMap((other) => ['--config', `patch.crates-io.${other}.path="${at(other)}"`]);
  return ([verb, ...args]) => [...patches, verb, ...manifest, ...args];
};

await main(async () => {
  crates.forEach(checkFiles);
  step('Packaging');
  const args = ['package', '--locked', '--allow-dirty', '--no-verify', '--quiet', ...chosen];
  await run('cargo', [...args, '--target-dir', packages]);
  const folder = mkdtempSync(join(tmpdir(), 'promptdeck-crates-'));
  // Optimized as in the workspace: some tests compare times.
  const build = join(packages, 'build');
  const env = {
    CARGO_TARGET_DIR: build,
    CARGO_PROFILE_DEV_OPT_LEVEL: '2',
    // By the compiler of those who take them.
    RUSTC_WORKSPACE_WRAPPER: undefined,
  };
  mkdirSync(build, { recursive: true });
  try {
    for (const name of crates) {
      const file = join(packages, 'package', `${name}-${version}.crate`);
      await run('tar', ['--extract', '--gzip', '--file', file, '--directory', folder]);
    }
    for (const name of crates) {
      step(`Testing the package ${name}`);
      const cargo = cargoIn(folder, name);
      const tree = cargo(['tree', '--edges', 'normal', '--all-features', '--format', '{p} {f}']);
      const dependencies = ask('cargo', tree) ?? stop(`${name}: its dependencies are not found`);
      if (dependencies.includes(forbidden)) stop(`${name} turns on ${forbidden} of serde_json`);
      await run('cargo', cargo(['check', '--quiet', '--no-default-features']), { env });
      await run('cargo', cargo(['test', '--quiet', '--all-features']), { env });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
