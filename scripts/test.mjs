// `npm test`: sets up what the tests need and runs all of them, then prints how many there were.
// Goes on after a failure and ends with 1 when there was any.
import './setup/node.mjs';

import { built, oraclePython, serversPython, target } from './paths.mjs';
import { run, runAndRead, runBeside } from './process.mjs';
import { main, step } from './log.mjs';
import { hasClippy, linting } from './setup/clippy.mjs';
import { requireOracle } from './setup/oracle.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { requirePage } from './setup/page.mjs';
import { requirePrograms } from './setup/programs.mjs';
import { requireRayPackages } from './setup/ray.mjs';
import { requireReleases } from './setup/releases.mjs';
import { requireServers } from './setup/servers.mjs';
import { reportFullDisks, warnOfLittleSpace } from './setup/space.mjs';
import { testPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

const sum = (text, pattern) =>
  [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);

const cargoCounts = (text) => ({
  passed: sum(text, /^test result: .*? (\d+) passed/gm),
  failed: sum(text, /^test result: .*? (\d+) failed/gm),
  ignored: sum(text, /^test result: .*? (\d+) ignored/gm),
});

const vitestCounts = (text) => ({
  passed: sum(text, /^\s*Tests\s.*?(\d+) passed/gm),
  failed: sum(text, /^\s*Tests\s.*?(\d+) failed/gm),
  ignored: sum(text, /^\s*Tests\s.*?(\d+) skipped/gm),
});

const windowCounts = (text) => ({
  passed: sum(text, /^Tests through the window: (\d+) passed/gm),
  failed: sum(text, /^Tests through the window: .*?(\d+) failed/gm),
  ignored: sum(text, /^Tests through the window: .*?(\d+) skipped/gm),
  again: [...text.matchAll(/^(\S+) passed only when it was run again/gm)].map(([, name]) => name),
});

const nodeCounts = (text) => ({
  passed: sum(text, /^# pass (\d+)/gm),
  failed: sum(text, /^# fail (\d+)/gm),
  ignored: sum(text, /^# skipped (\d+)/gm),
});

const pytestCounts = (text) => ({
  passed: sum(text, /^(?:.*, )?(\d+) passed(?:,.*)? in /gm),
  failed: sum(text, /^(?:.*, )?(\d+) failed,?.* in /gm),
  ignored: sum(text, /(\d+) skipped.* in /gm),
});

const checkCounts = (text) => ({
  passed: [...text.matchAll(/^ {2}ok {4}/gm)].length,
  failed: [...text.matchAll(/^ {2}FAIL {2}/gm)].length,
  ignored: 0,
});

/** What runs while cargo, which rarely keeps both cores busy, looks at the Rust. */
const besideCargo = [
  { name: 'the page and the scripts are lint-free', line: 'npm run --silent lint' },
  { name: 'the lock files are whole and fresh', line: 'npm run --silent check:locks' },
  { name: 'the page type-checks', line: 'npm run --silent check:page' },
  { name: 'the tests of the window type-check', line: 'npm run --silent check:window' },
  { name: 'tests of the scripts', line: 'npm run --silent test:scripts', counts: nodeCounts },
  { name: 'tests of the page', line: 'npm run --silent test:page', counts: vitestCounts },
];

const ofRust = [
  { name: 'Rust is formatted', line: 'cargo fmt --all --check' },
  {
    name: 'the Rust of the Python package is formatted',
    line: 'cargo fmt --check --manifest-path bindings/python/Cargo.toml',
  },
  {
    name: 'the Rust of the parity check is formatted',
    line: 'cargo fmt --check --manifest-path scripts/parity/peers/Cargo.toml',
  },
  { name: 'Rust is lint-free', line: 'npm run --silent lint:rust' },
];

const ofCrates = [
  {
    name: 'tests of the crates',
    line: 'cargo test --locked --workspace --no-fail-fast',
    counts: cargoCounts,
  },
];

/** What compiles on, while the tests of the crates wait half of the time. */
const wheelBuild = [
  { name: 'the Python package is lint-free and builds', line: 'npm run --silent build:wheel' },
];

/** What needs no more than a core each, once the wheel is there. */
const wheelTests = [
  {
    name: 'tests of the Python package',
    line: 'npm run --silent test:wheel',
    counts: pytestCounts,
  },
];
const packageTests = [
  {
    name: 'tests of the published crates',
    line: 'npm run --silent test:crates',
    counts: cargoCounts,
  },
];

const tests = [
  {
    name: 'checks of the samples',
    program: built('promptdeck'),
    line: 'promptdeck test registries',
    counts: checkCounts,
  },
  { name: 'tests through the window', line: 'npm run --silent test:window', counts: windowCounts },
];

const requirePythonPackages = async () => {
  await requireOracle();
  await requireReleases();
  await requireServers();
  await requireRayPackages();
};

const requireWindow = async () => {
  await requirePage();
  await requirePrograms();
};

const env = {
  // Property tests draw the same cases in every run; `cargo test` alone draws others each time.
  PROPTEST_RNG_SEED: '1',
  PROMPTDECK_ORACLE_PYTHON: oraclePython,
  PROMPTDECK_RELEASES: target,
  PROMPTDECK_SERVERS_PYTHON: serversPython,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
};

const attempt = async ({ name, program, line, counts }, runIt = counts ? runAndRead : run) => {
  step(`Checking: ${name}`);
  const [first, ...args] = line.split(' ');
  const command = program ?? first;
  const started = Date.now();
  let failure;
  let output;
  try {
    output = await runIt(command, args, { env });
  } catch (error) {
    failure = error.message;
    output = error.output ?? '';
  }
  const found = counts?.(output);
  if (counts && !failure && found.passed === 0) failure = 'no test ran';
  return { name, failure, found, seconds: (Date.now() - started) / 1000 };
};

const report = (results) => {
  step('Result');
  for (const { name, failure, found, seconds } of results) {
    const counted = found
      ? `${found.passed} passed, ${found.failed} failed, ${found.ignored} ignored`
      : '';
    console.log(
      `  ${failure ? 'FAILED' : 'ok    '} ${name.padEnd(40)} ${counted.padEnd(40)} ${seconds.toFixed(1).padStart(7)} s`,
    );
    if (failure) console.log(`         ${failure}`);
    for (const file of found?.again ?? []) console.log(`         passed only again: ${file}`);
  }
  const passed = results.reduce((total, { found }) => total + (found?.passed ?? 0), 0);
  const failed = results.filter(({ failure }) => failure).length;
  console.log(
    `\n${passed} tests passed; ${results.length - failed} of ${results.length} checks are good.`,
  );
  return failed === 0;
};

await main(async () => {
  const started = Date.now();
  // Nothing is built twice on a machine of continuous integration: what a second build would reuse
  // takes time to write, and half of the build folder. Nobody looks for lines in its backtraces either:
  // a failed assertion names its own.
  if (process.env.CI) {
    process.env.CARGO_INCREMENTAL ??= '0';
    process.env.CARGO_PROFILE_DEV_DEBUG ??= '0';
  }
  warnOfLittleSpace();
  await requireToolchain(testPackages, 'run the tests');
  // Programs and tests are compiled as they are linted, which fails below where there is no Clippy.
  if (hasClippy()) Object.assign(process.env, linting);
  await requirePackagesOfThePage();
  // What is downloaded and unpacked leaves a core to the compiler.
  await Promise.all([requirePythonPackages(), requireWindow()]);
  const inTurn = async (checks, runIt) => {
    const results = [];
    for (const check of checks) results.push(await attempt(check, runIt));
    return results;
  };
  const runYielding = (command, args, options) =>
    runBeside(command, args, { ...options, yielding: true });
  const ofPackages = async () => [
    ...(await inTurn(wheelBuild, runYielding)),
    ...(
      await Promise.all([inTurn(wheelTests, runYielding), inTurn(packageTests, runYielding)])
    ).flat(),
  ];
  const results = [
    ...(await Promise.all([inTurn(ofRust), inTurn(besideCargo, runBeside)])).flat(),
    ...(await Promise.all([inTurn(ofCrates), ofPackages()])).flat(),
    ...(await inTurn(tests)),
  ];
  const good = report(results);
  if (!good) reportFullDisks();
  console.log(`All of it took ${((Date.now() - started) / 60_000).toFixed(1)} minutes.`);
  process.exitCode = good ? 0 : 1;
});
