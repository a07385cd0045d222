// `npm run bench`: runs every benchmark of scripts/bench, one after the other, so that none
// disturbs another. Each prints a table of its own; figures are ratios taken within one run.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './paths.mjs';
import { run } from './process.mjs';
import { main, step } from './say.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { requireRust } from './setup/rust.mjs';

await main(async () => {
  requireRust();
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
