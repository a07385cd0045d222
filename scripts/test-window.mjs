// `npm run test:window`: drives the real window, two files at a time. Part of `npm test`, which has
// built the programs. Arguments are those of Vitest.
//
// Display, driver and window share the cores with everything else, and a busy machine can delay one of
// them for longer than a test waits. So the files that fail are run once more, one after the other, and
// the result names those that passed only then. More than a few failures are no accident.
import './setup/node.mjs';

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { root } from './paths.mjs';
import { ProgramFailed, run } from './process.mjs';
import { main, step } from './log.mjs';

const vitest = join(root, 'node_modules', '.bin', 'vitest');
const config = ['run', '--config', 'tests/e2e/vitest.config.ts'];

/** How many files may be run again. */
const FEW = 3;

/** Runs Vitest and reads its report. Throws its failure if it ended before it wrote one. */
const results = async (folder, args) => {
  const file = join(mkdtempSync(join(folder, 'run-')), 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  let failure;
  try {
    await run(vitest, [...config, ...reporters, ...args]);
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    if (!existsSync(file)) throw error;
    failure = error;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const files = report.testResults.map(({ name, status, assertionResults }) => ({
    name: relative(root, name),
    passed: status === 'passed',
    tests: assertionResults.map((test) => test.status),
  }));
  return { failure, files };
};

const count = (files, status) =>
  files.flatMap(({ tests }) => tests).filter((test) => test === status).length;

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'promptdeck-window-'));
  try {
    let { failure, files } = await results(folder, process.argv.slice(2));
    const failed = files.filter(({ passed }) => !passed);
    const again = [];
    if (failed.length > 0 && failed.length <= FEW) {
      const names = failed.map(({ name }) => name);
      step(`Again, one after the other: ${names.join(', ')}`);
      const second = await results(folder, ['--no-file-parallelism', ...names]);
      failure = second.failure;
      files = [...files.filter(({ passed }) => passed), ...second.files];
      again.push(...second.files.filter(({ passed }) => passed).map(({ name }) => name));
    }
    const counts = ['passed', 'failed'].map((status) => `${count(files, status)} ${status}`);
    console.log(
      `\nTests through the window: ${counts.join(', ')}, ${count(files, 'skipped')} skipped`,
    );
    for (const name of again) console.log(`${name} passed only when it was run again.`);
    if (failure) throw failure;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
