// `npm run build`: the release as a .deb that carries the window and the command line with their
// manual pages and completions. `--debug` packs the programs that the tests build.
import './setup/node.mjs';

import { statSync } from 'node:fs';
import { join } from 'node:path';

import { detail, main, step } from './log.mjs';
import { pack } from './package/control.mjs';
import { deb, folder } from './package/identity.mjs';
import { linkerFlags } from './package/relocations.mjs';
import { layOut } from './package/tree.mjs';
import { run } from './process.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { requirePage } from './setup/page.mjs';
import { requirePrograms } from './setup/programs.mjs';
import { buildPackages, requirePackages, windowPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

const debug = process.argv.includes('--debug');
const profile = debug ? 'debug' : 'release';

/** For a release each is built by itself: together, either would be linked with what only the other asks of a crate. */
const programs = [
  ['promptdeck', 'promptdeck-cli'],
  ['promptdeck-studio', 'promptdeck-studio'],
];

const megabytes = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

await main(async () => {
  await requireToolchain(windowPackages, 'build the window');
  await requirePackages([...buildPackages, 'lintian'], 'make and check the package');
  await requirePackagesOfThePage();
  await requirePage();
  if (debug) await requirePrograms();
  else
    for (const [program, crate] of programs) {
      step(`Building ${program}`);
      const how = ['--locked', '--release', '--package', crate, '--bin', program];
      await run('cargo', ['rustc', ...how, '--', ...linkerFlags]);
    }
  step('Making the package');
  const tree = join(folder, 'tree');
  await layOut(tree, profile);
  await pack(tree, deb, profile);
  for (const [program] of programs)
    detail(`${program}: ${megabytes(join(tree, 'usr/bin', program))}`);
  detail(`${deb}: ${megabytes(deb)}`);
  step('Checking the package');
  // What lintian shows of overrides would count as found.
  await run('lintian', ['--allow-root', '--fail-on', 'error,warning,info', '--display-info', deb]);
});
