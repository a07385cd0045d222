// The real window on a release build: keystroke to preview, start and memory against a bare window.
// The measuring itself is in tests/e2e/speed; with a word, as `node scripts/bench/window.mjs start`, only
// that file of it is run.
import { run } from '../process.mjs';
import { requirePage } from '../setup/page.mjs';
import { requirePackages, testPackages } from '../setup/system.mjs';

await requirePackages(testPackages, 'measure the window');
await requirePage();
const studio = ['--package', 'promptdeck-studio'];
await run('cargo', ['build', '--locked', '--quiet', '--release', ...studio]);
await run('cargo', [
  'build',
  '--locked',
  '--quiet',
  '--release',
  ...studio,
  '--example',
  'bare_window',
]);
await run(
  'npx',
  ['vitest', 'run', '--config', 'tests/e2e/speed.config.ts', ...process.argv.slice(2)],
  {
    env: { PROMPTDECK_PROFILE: 'release' },
  },
);
