// `npm run lint:rust`: compiles all Rust of the workspace by clippy's compiler and ends with 1 when it
// warns of anything. Part of `npm test`, whose tests run what was compiled here.
import './setup/node.mjs';

import { main, stop } from './log.mjs';
import { runBeside } from './process.mjs';
import { hasClippy, linting } from './setup/clippy.mjs';

await main(async () => {
  if (!hasClippy()) stop('Clippy is missing.', 'Install it with: rustup component add clippy');
  const build = ['build', '--locked', '--workspace', '--all-targets', '--quiet'];
  // Cargo repeats the warnings about what it finds compiled.
  const output = await runBeside('cargo', build, {
    env: { ...linting, CARGO_TERM_COLOR: 'never' },
  });
  if (/^warning/m.test(output)) stop('Rust has warnings, listed above.');
});
