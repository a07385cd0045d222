// `npm run dev`: the window on the sample registries with the page served by Vite, so that a
// change of the page shows at once and a change of the Rust side rebuilds.
import './setup/node.mjs';

import { registries } from './paths.mjs';
import { run } from './process.mjs';
import { main } from './log.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { windowPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

await main(async () => {
  await requireToolchain(windowPackages, 'open the window');
  await requirePackagesOfThePage();
  // Without the default features the window takes the page from Vite instead of its own copy.
  await run('npx', ['tauri', 'dev', '--', '--no-default-features', '--', registries]);
});
