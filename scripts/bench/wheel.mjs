// The Python package against the packages that Python programs use today, one release wheel, one
// run, equal texts demanded: promptlibretto for prompts, transformers for chat templates. Says what
// misses its goal.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { root, wheel } from '../paths.mjs';
import { stop } from '../log.mjs';
import { makeEnvironment } from '../setup/python.mjs';
import { buildWheel, installWheel } from '../setup/wheel.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';
import { nineTokens } from './cases/nine-tokens.mjs';
import { turns } from './cases/turns.mjs';

/** The largest wheel that is published, in bytes. */
const LARGEST = 8e6;

const environment = join(wheel, 'bench');
const python = join(environment, 'bin', 'python');
const requirements = join(root, 'bindings', 'python', 'requirements-bench.txt');
const stamp = join(wheel, '.requirements-bench');

if (!isFresh(stamp, digestOfFiles(requirements)) || !existsSync(python)) {
  await makeEnvironment(environment, requirements);
  mark(stamp, digestOfFiles(requirements));
}
const file = await buildWheel('release');
await installWheel(python, file);

const cases = {
  hydration: nineTokens(),
  chats: { messages: turns(20), templates: join(root, 'tests', 'chat-templates') },
};
const { status, stdout, stderr } = spawnSync(
  python,
  [join(root, 'scripts', 'bench', 'python.py')],
  { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 1 << 26 },
);
if (status !== 0) stop(`the comparison ended with exit status ${status}: ${stderr}`);

const micro = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
const verdict = (reached) => (reached ? 'reached' : 'missed');
const rows = JSON.parse(stdout).map(({ name, ours, theirs, goal }) => [
  name,
  {
    'theirs µs': micro(theirs),
    'promptdeck µs': micro(ours),
    ratio: `${(theirs / ours).toFixed(1)}x`,
    goal: goal ? `${goal}x ${verdict(theirs >= goal * ours)}` : '',
  },
]);
console.table(Object.fromEntries(rows));
const { size } = statSync(file);
console.log(`the wheel: ${(size / 1e6).toFixed(2)} MB, goal below 8 MB ${verdict(size < LARGEST)}`);
