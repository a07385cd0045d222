// `npm run audit`: licences, sources, banned crates, checksums and known advisories of everything
// that is built in, of both ecosystems. Ends with 1 when something was found, with 2 when nothing
// was found but a database of advisories could not be reached: what was not checked is not good.
import './setup/node.mjs';

import { spawnSync } from 'node:child_process';

import { examineOurs } from './audit/npm-lock.mjs';
import { manifests, root } from './paths.mjs';
import { detail, main, step } from './log.mjs';
import { deny, requireDeny } from './setup/deny.mjs';
import { buildPackages } from './setup/system.mjs';
import { requireToolchain } from './setup/toolchain.mjs';

const GOOD = 'ok';
const FOUND = 'FOUND';
const UNCHECKED = 'database not reachable, not checked';

const call = (command, args) => {
  const ended = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ended.error) throw ended.error;
  return { good: ended.status === 0, output: ended.stdout, said: ended.stderr };
};

/** Checks of cargo-deny that need nothing but the crates, for a workspace. */
const crates = (manifest) => {
  const args = ['--manifest-path', manifest, '--locked', '--config', 'deny.toml', 'check'];
  const { good, said } = call(deny, [
    ...args,
    '--hide-inclusion-graph',
    'bans',
    'licenses',
    'sources',
  ]);
  if (!good) console.log(said);
  return good ? GOOD : FOUND;
};

const rustAdvisories = (manifests) => {
  const [first] = manifests;
  const place = ['--manifest-path', first, '--config', 'deny.toml'];
  const fetched = call(deny, [...place, 'fetch', 'db']);
  if (!fetched.good) {
    const why = fetched.said.trim().split('\n');
    detail(why.find((line) => /error|unable|failed/i.test(line)) ?? why.at(-1));
    return UNCHECKED;
  }
  let found = GOOD;
  for (const manifest of manifests) {
    const args = ['--manifest-path', manifest, '--locked', '--offline', '--config', 'deny.toml'];
    const { good, said } = call(deny, [...args, 'check', 'advisories']);
    if (good) continue;
    console.log(said);
    found = FOUND;
  }
  return found;
};

const npmAdvisories = () => {
  const { output } = call('npm', ['audit', '--json']);
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return UNCHECKED;
  }
  const counts = report.metadata?.vulnerabilities;
  if (!counts) {
    // An error document: nobody looked anything up.
    detail(report.message ?? report.error?.summary ?? 'npm audit gave no report');
    return UNCHECKED;
  }
  if (counts.total === 0) return GOOD;
  for (const [name, { severity, range }] of Object.entries(report.vulnerabilities))
    console.log(`  ${name} ${range}: ${severity}`);
  return FOUND;
};

const npmPackages = () => {
  const { problems } = examineOurs();
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length === 0 ? GOOD : FOUND;
};

await main(async () => {
  await requireToolchain(buildPackages, 'build cargo-deny');
  await requireDeny();
  const checks = [
    ...manifests.map((manifest) => [
      `crates of ${manifest}: licences, sources, bans`,
      () => crates(manifest),
    ]),
    ['packages of npm: licences, sources, checksums', npmPackages],
    ['crates: advisories', () => rustAdvisories(manifests)],
    ['packages of npm: advisories', npmAdvisories],
  ];
  const results = checks.map(([name, check]) => {
    step(`Checking ${name}`);
    return [name, check()];
  });
  step('Result');
  for (const [name, result] of results) console.log(`  ${name.padEnd(52)} ${result}`);
  const has = (result) => results.some(([, each]) => each === result);
  process.exitCode = has(FOUND) ? 1 : has(UNCHECKED) ? 2 : 0;
});
