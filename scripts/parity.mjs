// `npm run parity`: renders the conversations of the conformance tests with all chat templates, by the
// Python package and by transformers, and writes the result to docs/parity.md. Fails if anything
// differs.
import './setup/node.mjs';

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { built, oracle, oraclePython, root, target, wheel } from './paths.mjs';
import { run } from './process.mjs';
import { detail, main, step, stop } from './log.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { makeEnvironment } from './setup/python.mjs';
import { installWheel, requireWheel } from './setup/wheel.mjs';
import { digestOfFiles, isFresh, mark } from './stamp.mjs';

const environment = join(target, 'parity', 'env');
const python = join(environment, 'bin', 'python');
const requirements = join(root, 'scripts', 'parity', 'requirements.txt');
const page = join(root, 'docs', 'parity.md');
const example = ['build', '--locked', '--quiet', '--workspace', '--example', 'conformance_cases'];
const most = 1 << 30;

const requireEnvironment = async () => {
  const stamp = join(target, 'parity', '.requirements');
  const digest = digestOfFiles(requirements);
  if (isFresh(stamp, digest) && existsSync(python)) return;
  step('Installing transformers');
  await makeEnvironment(environment, requirements);
  mark(stamp, digest);
};

await main(async () => {
  await requireOracle();
  await requireWheel();
  await requireEnvironment();
  const wheels = join(wheel, 'dist', 'dev');
  await installWheel(python, join(wheels, readdirSync(wheels)[0]));
  await run('cargo', example);
  step('Comparing chat templates');
  const cases = spawnSync(built(join('examples', 'conformance_cases')), ['chat'], {
    env: { ...process.env, PROMPTDECK_ORACLE_PYTHON: oraclePython },
    maxBuffer: most,
  });
  if (cases.status !== 0) stop(`the cases could not be written: ${cases.stderr}`);
  const folders = [join(oracle, 'templates'), join(root, 'tests', 'chat-templates')];
  const compared = spawnSync(python, [join(root, 'scripts', 'parity', 'compare.py'), ...folders], {
    input: cases.stdout,
    encoding: 'utf8',
    maxBuffer: most,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!compared.stdout.startsWith('# ')) stop('the comparison failed');
  if (compared.status !== 0) stop('chat templates differ from transformers', compared.stdout);
  writeFileSync(page, compared.stdout);
  detail(compared.stdout.match(/^.* cases: .*$/m)[0]);
});
