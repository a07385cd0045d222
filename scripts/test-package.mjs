// `npm run test:package`: tests the package that `npm run build` made, in a system that holds nothing
// but Debian's smallest installation. Enters it by chroot in mounts of its own: as root, or in a user
// namespace with subordinate ids.
import './setup/node.mjs';

import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { main, step, stop, unchanged } from './log.mjs';
import { deb } from './package/identity.mjs';
import { target } from './paths.mjs';
import { ask, run } from './process.mjs';
import { requirePackagesOfThePage } from './setup/packages.mjs';
import { requirePackages, testPackages } from './setup/system.mjs';

const folder = join(target, 'package-test');

/** The release of this machine: programs are linked with its libraries. */
const suite = () => {
  const about = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return (
    /^VERSION_CODENAME=(\w+)$/m.exec(about)?.[1] ?? stop('This is no release of Debian or Ubuntu')
  );
};

/** The smallest installation as an archive, made once: essential packages and apt. */
const requireMinbase = async (name) => {
  const archive = join(folder, `${name}.tar`);
  if (existsSync(archive)) {
    unchanged(`The smallest installation of ${name}`);
    return archive;
  }
  step(`Making the smallest installation of ${name}`);
  const part = join(folder, `${name}.part.tar`);
  await run('mmdebstrap', ['--variant=minbase', name, part]);
  renameSync(part, archive);
  return archive;
};

/** The command that gives a program mounts of its own, and the rights over the files of a system. */
const requireNamespaces = () => {
  const isRoot = process.getuid() === 0;
  const user = isRoot ? [] : ['--user', '--map-root-user', '--map-auto'];
  const command = ['unshare', ...user, '--mount', '--propagation', 'private'];
  const [program, ...args] = [...command, 'mount', '-t', 'tmpfs', 'none', '/mnt'];
  if (ask(program, args) !== undefined) return command;
  return stop(
    'The package was not tested: this user may not mount anything in a namespace of its own',
    ...(isRoot
      ? ['In a container, start it with the capability SYS_ADMIN, or privileged']
      : [
          'Run: sudo npm run test:package',
          'or install uidmap, and see that /etc/subuid and /etc/subgid list this user',
        ]),
  );
};

await main(async () => {
  if (!existsSync(deb)) stop('There is no package to test', 'Make it with: npm run build');
  const namespaces = requireNamespaces();
  await requirePackages([...testPackages, 'mmdebstrap'], 'test the package');
  await requirePackagesOfThePage();
  mkdirSync(folder, { recursive: true });
  const env = {
    PROMPTDECK_DEB: deb,
    PROMPTDECK_NAMESPACES: JSON.stringify(namespaces),
    PROMPTDECK_MINBASE: await requireMinbase(suite()),
    PROMPTDECK_ARCHIVES: join(folder, 'archives'),
  };
  step(`Testing ${deb}`);
  await run('npx', ['vitest', 'run', '--config', 'tests/e2e/package.config.ts'], { env });
});
