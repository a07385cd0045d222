// `npm run bench`: runs every benchmark of scripts/bench, one after the other, so that none
// disturbs another. Each prints a table of its own; figures are ratios taken within one run.
import './setup/node.mjs';

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './paths.mjs';
import { run } from './process.mjs';
import { main, step } from './log.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { buildPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

await main(async () => {
  await requireToolchain(buildPackages, 'build the command line');
  await requirePackagesOfThePage();
  await requireOracle();
  const folder = join(root, 'scripts', 'bench');
  for (const name of readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .sort()) {
    step(name);
    await run(process.execPath, [join(folder, name)]);
  }
});
