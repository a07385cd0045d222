// Taking a snapshot, switching to one and opening the store, with 10 snapshots in it and with
// 10,000: medians of library calls, then whole processes of the command line, both sizes in turn.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built, registries, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';

const ROUNDS = 41;
const SIZES = [10, 10_000];
/** Times as long with 10,000 as with 10, at most. */
const GOAL = 2;

const build = ['build', '--locked', '--quiet', '--release', '--package'];
await run('cargo', [...build, 'promptdeck-store', '--example', 'snapshot_scale']);
await run('cargo', [...build, 'promptdeck-cli']);

const folder = mkdtempSync(join(tmpdir(), 'promptdeck-bench-'));
const output = (command, args, env = {}) => {
  const options = { encoding: 'utf8', cwd: root, env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) stop(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
};
const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];

try {
  const measured = new Map();
  const note = (operation, size, milliseconds) =>
    measured.set(operation, { ...measured.get(operation), [size]: milliseconds });

  const lines = output(built(join('examples', 'snapshot_scale'), 'release'), [folder]);
  for (const line of lines.trim().split('\n')) {
    const [operation, size, nanoseconds] = line.split('\t');
    note(operation, size, Number(nanoseconds) / 1e6);
  }

  const program = built('promptdeck', 'release');
  const registry = join(registries, 'trivia_host.json');
  const store = (size) => join(folder, String(size), 'store.sqlite');
  // Those of the example hold no registry that could be shown: one is saved that can.
  const saved = new Map(
    SIZES.map((size) => {
      const args = ['snapshot', 'save', registry, '--seed', '1', '--store', store(size)];
      return [size, output(program, args).trim()];
    }),
  );
  const processes = {
    'promptdeck snapshot save': () => ['save', registry, '--seed', '1'],
    'promptdeck snapshot show': (size) => ['show', saved.get(size)],
  };
  for (const [operation, args] of Object.entries(processes)) {
    const times = new Map(SIZES.map((size) => [size, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const size of SIZES) {
        const begun = performance.now();
        output(program, ['snapshot', ...args(size), '--store', store(size)]);
        times.get(size).push(performance.now() - begun);
      }
    }
    for (const size of SIZES) note(operation, size, median(times.get(size)));
  }

  const rows = [...measured].map(([operation, times]) => {
    const ratio = times[SIZES[1]] / times[SIZES[0]];
    return [
      operation,
      {
        '10 snapshots, ms': times[SIZES[0]].toFixed(3),
        '10,000 snapshots, ms': times[SIZES[1]].toFixed(3),
        ratio: `${ratio.toFixed(2)}x`,
        [`goal: ${GOAL}x at most`]: ratio <= GOAL ? 'met' : 'MISSED',
      },
    ];
  });
  console.table(Object.fromEntries(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
