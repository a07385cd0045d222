// `npm run parity`: renders the conversations of the conformance tests with all chat templates, by the
// Python package, by transformers and by other engines, and writes the result to docs/parity.md.
// Fails if the package differs from transformers.
import './setup/node.mjs';

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { built, oracle, oraclePython, root, target } from './paths.mjs';
import { run } from './process.mjs';
import { detail, main, step, stop } from './log.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { makeEnvironment } from './setup/python.mjs';
import { buildWheel, installWheel } from './setup/wheel.mjs';
import { digestOfFiles, isFresh, mark } from './stamp.mjs';

const environment = join(target, 'parity', 'env');
const python = join(environment, 'bin', 'python');
const requirements = join(root, 'scripts', 'parity', 'requirements.txt');
const peers = join(root, 'scripts', 'parity', 'peers');
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

/** The version of a crate in the lock file of the other engines. */
const versionOfCrate = (name) => {
  const lock = readFileSync(join(peers, 'Cargo.lock'), 'utf8');
  const found = [...lock.matchAll(new RegExp(`name = "${name}"\\nversion = "([^"]+)"`, 'g'))];
  // hf-chat-template has an older minijinja of its own.
  return found.at(-1)[1];
};

/** The programs that render with other engines. */
const buildPrograms = async () => {
  const folder = join(target, 'parity', 'cargo');
  const manifest = join(peers, 'Cargo.toml');
  const options = ['--locked', '--quiet', '--release', '--manifest-path', manifest];
  await run('cargo', ['build', ...options, '--target-dir', folder]);
  const crates = ['minijinja', 'hf-chat-template'];
  const package_ = join(root, 'node_modules', '@huggingface', 'jinja', 'package.json');
  const { name, version } = JSON.parse(readFileSync(package_, 'utf8'));
  return [
    {
      command: [join(folder, 'release', 'promptdeck-parity-peers')],
      engines: Object.fromEntries(crates.map((crate) => [crate, versionOfCrate(crate)])),
    },
    {
      command: [process.execPath, join(root, 'scripts', 'parity', 'jinja.mjs')],
      engines: { [name]: version },
    },
  ];
};

await main(async () => {
  await requirePackagesOfThePage();
  await requireOracle();
  await requireEnvironment();
  await installWheel(python, await buildWheel('release'));
  const programs = await buildPrograms();
  await run('cargo', example);
  step('Comparing chat templates');
  const cases = spawnSync(built(join('examples', 'conformance_cases')), ['chat'], {
    env: { ...process.env, PROMPTDECK_ORACLE_PYTHON: oraclePython },
    maxBuffer: most,
  });
  if (cases.status !== 0) stop(`the cases could not be written: ${cases.stderr}`);
  const folders = [join(oracle, 'templates'), join(root, 'tests', 'chat-templates')];
  const compare = join(root, 'scripts', 'parity', 'compare.py');
  const compared = spawnSync(python, [compare, JSON.stringify(programs), ...folders], {
    input: cases.stdout,
    encoding: 'utf8',
    maxBuffer: most,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!compared.stdout.startsWith('# ')) stop('the comparison failed');
  if (compared.status !== 0) stop('chat templates differ from transformers', compared.stdout);
  writeFileSync(page, compared.stdout);
  detail(compared.stdout.match(/^promptdeck: .*$/m)[0]);
});
