// `npm run build`: the release as a .deb that carries the window and the command line with its
// manual page and completions.
import './setup/node.mjs';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { built, registries, target } from './paths.mjs';
import { ask, run } from './process.mjs';
import { main, step } from './log.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { windowPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

const made = join(target, 'package');
const promptdeck = built('promptdeck', 'release');

const write = (name, content) => {
  writeFileSync(join(made, name), content);
  return join(made, name);
};

const files = () => ({
  '/usr/bin/promptdeck': promptdeck,
  '/usr/share/man/man1/promptdeck.1.gz': write(
    'promptdeck.1.gz',
    gzipSync(ask(promptdeck, ['man']), { level: 9 }),
  ),
  '/usr/share/bash-completion/completions/promptdeck': write(
    'promptdeck.bash',
    ask(promptdeck, ['completions', 'bash']),
  ),
  '/usr/share/zsh/vendor-completions/_promptdeck': write(
    '_promptdeck',
    ask(promptdeck, ['completions', 'zsh']),
  ),
  '/usr/share/fish/vendor_completions.d/promptdeck.fish': write(
    'promptdeck.fish',
    ask(promptdeck, ['completions', 'fish']),
  ),
  '/usr/share/promptdeck/registries': registries,
});

await main(async () => {
  await requireToolchain(windowPackages, 'build the window');
  await requirePackagesOfThePage();
  mkdirSync(made, { recursive: true });
  step('Building the command line');
  await run('cargo', ['build', '--locked', '--release', '--package', 'promptdeck-cli']);
  step('Building the window and the package');
  const bundle = { bundle: { linux: { deb: { files: files() } } } };
  await run('npx', ['tauri', 'build', '--bundles', 'deb', '--config', JSON.stringify(bundle)]);
});
