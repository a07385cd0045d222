// A million prompts to a Parquet file, each side in one process, with its start and the writing: the
// wheel against promptlibretto's loop, for a thousand states with a thousand seeds each, and for one
// state a row from another Parquet file. The loop is timed on a part of the rows and scaled linearly;
// the prompts of that part are compared. And the memory that the wheel takes for a tenth of the rows
// and for all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nineTokens } from './cases/nine-tokens.mjs';
import { measured, printRatios, requireBenchEnvironment, verdict } from './shared/wheel.mjs';

const ROWS = 1_000_000;
const TENTH = ROWS / 10;
const PART = 20_000;
/** How often each side runs; the fastest run counts, the one others disturbed least. */
const ROUNDS = 3;
/** What is made, its name, and how many times as fast it has to be. */
const KINDS = [
  ['rolled', 'prompts, 1000 seeds a state', 50],
  ['stored', 'prompts, a stored state a row', undefined],
];
/** How much more memory all rows may take than a tenth of them. */
const FLAT = 1.1;

await requireBenchEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'promptdeck-parquet-'));
try {
  const states = join(folder, 'states.parquet');
  const { registry, state } = nineTokens();
  const input = JSON.stringify({ registry, state });
  const file = (side) => join(folder, `${side}.parquet`);
  const run = (side, kind, rows) => {
    const runs = Array.from({ length: ROUNDS }, () =>
      measured('parquet.py', [side, kind, states, file(side), `${rows}`], input),
    );
    return runs.reduce((best, one) => (one.start + one.rows < best.start + best.rows ? one : best));
  };
  measured('parquet.py', ['states', states, `${ROWS}`], input);
  const rows = [];
  const peaks = [];
  for (const [kind, name, goal] of KINDS) {
    const loop = run('promptlibretto', kind, PART);
    const tenth = run('promptdeck', kind, TENTH);
    const all = run('promptdeck', kind, ROWS);
    const files = [file('promptdeck'), file('promptlibretto')];
    const { equal, different } = measured('parquet.py', ['compare', ...files, `${PART}`], input);
    rows.push({
      name: `${ROWS} ${name}; theirs: ${PART}, scaled; ${equal} compared, ${different} different`,
      ours: all.start + all.rows,
      theirs: loop.start + loop.rows * (ROWS / PART),
      goal,
    });
    peaks.push([tenth.peak, all.peak]);
  }
  printRatios(rows, 's', (seconds) => seconds.toFixed(2));
  const megabytes = (peak) => (peak / 1000).toFixed(0);
  for (const [index, [, name]] of KINDS.entries()) {
    const [tenth, all] = peaks[index];
    console.log(
      `peak memory, ${name}: ${megabytes(tenth)} MB for ${TENTH} rows, ${megabytes(all)} MB for ` +
        `${ROWS}, goal at most ${FLAT}x ${verdict(all <= FLAT * tenth)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
