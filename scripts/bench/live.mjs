// What follows an edit in the studio: the profile of 2,000 rolls with exact token counts on every
// sample, and 100 checks of 200 rolls. One thread, a registry that was never rolled before.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { built, registries, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';

/** Milliseconds at the 95th percentile, at most. */
const GOALS = { '2,000 rolls': 100, '100 checks': 150 };

const build = ['build', '--locked', '--quiet', '--release', '--package', 'promptdeck-checks'];
await run('cargo', [...build, '--example', 'live_speed']);

const program = built(join('examples', 'live_speed'), 'release');
const { status, stdout, stderr } = spawnSync(program, [registries], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0) stop(`live_speed ended with exit status ${status}: ${stderr}`);

const rows = stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map(({ work, name, median, p95 }) => [
    `${work}: ${name}`,
    {
      'median, ms': median.toFixed(1),
      'p95, ms': p95.toFixed(1),
      'goal, ms': GOALS[work],
      result: p95 < GOALS[work] ? 'met' : 'MISSED',
    },
  ]);
console.table(Object.fromEntries(rows));
