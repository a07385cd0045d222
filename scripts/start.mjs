// `npm start`: sets up what the studio needs and opens it on the sample registries. Without a
// display it does the same main job on the command line.
import './setup/node.mjs';

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built, registries } from './paths.mjs';
import { run } from './process.mjs';
import { detail, main, step } from './log.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { requirePage } from './setup/page.mjs';
import { requireCommandLine, requirePrograms } from './setup/programs.mjs';
import { buildPackages, windowPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

const openWindow = async () => {
  await requireToolchain(windowPackages, 'open the window');
  await requirePackagesOfThePage();
  await requirePage();
  await requirePrograms();
  step('Opening the studio on the sample registries');
  detail('Close its window, or press Ctrl+C here, to end it.');
  await run(built('promptdeck-studio'), [registries]);
};

const workWithoutWindow = async () => {
  await requireToolchain(buildPackages, 'build the command line');
  await requireCommandLine();
  const promptdeck = built('promptdeck');
  const sample = join(registries, 'trivia_host.json');
  const written = join(mkdtempSync(join(tmpdir(), 'promptdeck-')), 'trivia_host.model.json');
  const choices = [
    '--select',
    'personas=deadpan',
    '--var',
    'base_context::venue=The Brass Lantern',
  ];

  step('No display here, so on the command line: what a sample evaluates to, and its prompt');
  await run(promptdeck, ['hydrate', sample, ...choices, '--seed', '740291883516', '--explain']);
  step('Exporting the model JSON with these choices');
  await run(promptdeck, ['export', sample, ...choices.slice(0, 2), '-o', written]);
  detail(written);
  step('To see the window, run `npm start` where DISPLAY or WAYLAND_DISPLAY is set:');
  detail('on a desktop, through `ssh -X`, or under a virtual display:');
  detail('xvfb-run -s "-screen 0 1440x900x24" npm start');
};

await main(async () => {
  await (hasDisplay ? openWindow() : workWithoutWindow());
});
