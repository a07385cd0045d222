// Checks the version of Node before anything else runs. Imported first by every script a person
// starts; uses nothing that an old Node lacks, or its own error would hide this one.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const needed = manifest.engines.node.replace(/^>=/, '');
const number = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

if (number(process.versions.node) < number(needed)) {
  console.error(
    `✗ Node ${needed} or later is needed; this is ${process.versions.node}.\n` +
      '  Install it from https://nodejs.org or with your version manager.',
  );
  process.exit(1);
}
