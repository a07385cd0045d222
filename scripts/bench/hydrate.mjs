// One prompt by a library call, ours against promptlibretto's: the same registries and states, the
// same run, equal texts demanded. Nine tokens first, then registries of growing size.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { built, oraclePython, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';
import { nineTokens, section } from './cases/nine-tokens.mjs';

const build = ['build', '--locked', '--quiet', '--release', '--package', 'promptdeck-core'];
await run('cargo', [...build, '--example', 'hydrate_speed']);

const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

/** A section of so many items, of which one is chosen. */
const oneOf = (count) => ({
  name: `1 of ${count} items`,
  registry: {
    assembly_order: ['lore'],
    lore: section(
      many(count, (n) => ({ id: `item-${n}`, text: `This is item ${n} of the lore.` })),
    ),
  },
  state: { selections: { lore: `item-${count - 1}` } },
});

/** A pool of so many entries, all of which are printed. */
const allOf = (count) => ({
  name: `all of ${count} entries`,
  registry: {
    assembly_order: ['lore'],
    lore: section([{ id: 'pool', items: many(count, (n) => `This is entry ${n} of the lore.`) }]),
  },
  state: {},
});

const sizes = [10, 100, 1_000, 10_000];
const cases = [nineTokens(), ...sizes.map(oneOf), ...sizes.map(allOf)];

const answers = (command, args) => {
  const options = { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 1 << 28 };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, ...options });
  if (status !== 0) stop(`${command} ended with exit status ${status}: ${stderr}`);
  return JSON.parse(stdout);
};

const ours = answers(built(join('examples', 'hydrate_speed'), 'release'), []);
const theirs = answers(oraclePython, [join(root, 'scripts', 'bench', 'hydrate.py')]);
const micro = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
/** The goal for one prompt. */
const GOAL = 100;
const rows = ours.map(({ name, nanoseconds, text }, n) => {
  if (text !== theirs[n].text) stop(`the prompts of "${name}" differ`);
  return [
    name,
    {
      'promptlibretto 0.6.0 µs': micro(theirs[n].nanoseconds),
      'promptdeck µs': micro(nanoseconds),
      ratio: `${(theirs[n].nanoseconds / nanoseconds).toFixed(0)}x`,
      [`goal: ${GOAL}x`]: theirs[n].nanoseconds >= GOAL * nanoseconds ? 'met' : 'MISSED',
    },
  ];
});
console.table(Object.fromEntries(rows));
