// A sample of the trivia host: a million rolls without tokens and a hundred thousand with them, on
// one core and on two, against promptlibretto's loop over the same registry and dice. Whole
// processes, start included; what is never printed, stable prefix and sameness are ours alone.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built, oraclePython, registries, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';

const LOOP = 20_000;
const ROUNDS = 5;
/** Seconds for a million rolls without tokens on two cores, at most. */
const GOAL = 1;
/** Memory of a million rolls against that of ten thousand, at most. */
const FLAT = 1.1;

await run('cargo', ['build', '--locked', '--quiet', '--release', '--package', 'promptdeck-cli']);

const folder = mkdtempSync(join(tmpdir(), 'promptdeck-bench-'));
const file = join(folder, 'registry.json');
const sample = join(registries, 'trivia_host.json');

/** promptlibretto takes its dice from the state, not from the registry. */
const bare = () => {
  const { registry } = JSON.parse(readFileSync(sample, 'utf8'));
  const baked = ['selected', 'section_random', 'array_modes', 'slider', 'slider_random'];
  const sections = Object.entries(registry).map(([name, section]) => [
    name,
    section?.items
      ? Object.fromEntries(Object.entries(section).filter(([key]) => !baked.includes(key)))
      : section,
  ]);
  return { registry: Object.fromEntries(sections) };
};

const state = {
  selections: {
    static_injections: ['family_friendly', 'no_spoilers'],
    examples: ['openers', 'reveals'],
  },
  section_random: { personas: true },
  slider_random: { sentiment: true },
  array_modes: { sentiment: { nudges: 'random:2' }, examples: { items: 'random:2' } },
};

const output = (command, args, input = '') => {
  const options = { encoding: 'utf8', cwd: root, input, maxBuffer: 1 << 26 };
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) stop(`${command} ended with exit status ${status}: ${stderr}`);
  return stdout;
};

/** The most memory of a process, in MB: the median of some runs. */
const peak = (rolls) => {
  const command = [built('promptdeck', 'release'), 'profile', sample, '--format', 'json'];
  const script = join(root, 'scripts', 'bench', 'peak.py');
  const runs = Array.from({ length: ROUNDS }, () =>
    Number(output(oraclePython, [script, ...command, '--rolls', `${rolls}`, '--no-tokens'])),
  );
  return runs.toSorted((one, other) => one - other)[ROUNDS >> 1] / 1000;
};

/** The best of some rounds, in seconds: the one that others disturbed least. */
const best = (cores, args) => {
  const program = built('promptdeck', 'release');
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = process.hrtime.bigint();
    const profile = ['profile', sample, '--format', 'json', ...args];
    output('taskset', ['-c', cores === 1 ? '0' : `0-${cores - 1}`, program, ...profile]);
    return Number(process.hrtime.bigint() - started) / 1e9;
  });
  return Math.min(...rounds);
};

try {
  writeFileSync(file, JSON.stringify(bare()));
  const script = join(root, 'scripts', 'bench', 'population.py');
  const loop = JSON.parse(output(oraclePython, [script, file, `${LOOP}`], JSON.stringify(state)));
  const row = (rolls, seconds) => ({
    rolls,
    seconds: seconds.toFixed(2),
    'rolls a second': Math.round(rolls / seconds).toLocaleString('en'),
    ratio: `${(rolls / seconds / (LOOP / loop.seconds)).toFixed(0)}x`,
  });
  const rows = { 'promptlibretto 0.6.0, Python loop, lengths only': row(LOOP, loop.seconds) };
  let goal = 0;
  for (const cores of [1, 2]) {
    const of = cores === 1 ? '1 core' : `${cores} cores`;
    goal = best(cores, ['--rolls', '1000000', '--no-tokens']);
    rows[`promptdeck profile, ${of}, without tokens`] = row(1_000_000, goal);
    for (const tokenizer of ['estimate', 'o200k_base']) {
      const seconds = best(cores, ['--rolls', '100000', '--tokenizer', tokenizer]);
      rows[`promptdeck profile, ${of}, ${tokenizer}`] = row(100_000, seconds);
    }
  }
  console.table(rows);
  const result = (met) => (met ? 'met' : 'MISSED');
  console.log(
    `goal: a million rolls without tokens on two cores in ${GOAL} s; ` +
      `${goal.toFixed(2)} s: ${result(goal < GOAL)}`,
  );
  const [few, most] = [peak(10_000), peak(1_000_000)];
  console.log(
    `goal: memory flat from 10,000 to 1,000,000 rolls; ` +
      `${few.toFixed(1)} to ${most.toFixed(1)} MB: ${result(most <= few * FLAT)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
