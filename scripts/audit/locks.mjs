// `npm run check:locks`: whether the lock files of both ecosystems are whole and fit their
// manifests. Part of `npm test`; fetches nothing that is in cargo's cache.
import { main, stop, unchanged } from '../log.mjs';
import { manifests } from '../paths.mjs';
import { ask, run } from '../process.mjs';
import { examine, examineOurs } from './npm-lock.mjs';

/** Entries that must be found wanting, lest the check say yes to everything. */
const planted = {
  packages: {
    '': {},
    'node_modules/none': { license: 'MIT' },
    'node_modules/weak': { license: 'MIT', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/elsewhere': {
      license: 'MIT',
      integrity: `sha512-${'a'.repeat(86)}==`,
      resolved: 'git+ssh://git@example.com/elsewhere.git',
    },
    'node_modules/closed': { license: 'SEE LICENSE', integrity: `sha512-${'a'.repeat(86)}==` },
  },
};

await main(async () => {
  if (examine(planted).problems.length !== 4) stop('the check of package-lock.json finds nothing');
  const { count, problems } = examineOurs();
  if (problems.length > 0) stop('package-lock.json:', ...problems);
  unchanged(`package-lock.json: ${count} packages, each with a checksum and from the registry`);
  for (const manifest of manifests) {
    const args = ['fetch', '--locked', '--quiet', '--manifest-path', manifest];
    // With everything in the cache no index is asked.
    if (ask('cargo', [...args, '--offline']) === undefined) await run('cargo', args);
    unchanged(`${manifest.replace('.toml', '.lock')} fits its manifest`);
  }
});
