// System libraries of Debian and Ubuntu: installs what is missing through apt when it may, and
// prints the exact line to run when it may not.
import { ask, run } from '../process.mjs';
import { step, stop, unchanged } from '../say.mjs';

/** What building and opening the window takes. */
export const windowPackages = [
  'build-essential',
  'pkg-config',
  'libwebkit2gtk-4.1-dev',
  'libsoup-3.0-dev',
  'librsvg2-dev',
  'libayatana-appindicator3-dev',
];

/**
 * What the tests take beside it: a display with hands and a clipboard, the window's driver, Python,
 * certificates, a keyring.
 */
export const testPackages = [
  ...windowPackages,
  'xvfb',
  'xdotool',
  'xclip',
  'webkit2gtk-driver',
  'python3-venv',
  'openssl',
  'dbus',
  'gnome-keyring',
];

const isInstalled = (name) =>
  ask('dpkg-query', ['-W', '-f=${Status}', name]) === 'install ok installed';

/** Sees to it that all of these packages are there. `purpose` completes "needed to ...". */
export const requirePackages = async (names, purpose) => {
  if (!ask('dpkg-query', ['--version'])) {
    unchanged(
      `No apt here: the counterparts of these are needed to ${purpose}: ${names.join(', ')}`,
    );
    return;
  }
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) {
    unchanged(`System packages to ${purpose}`);
    return;
  }
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  const asRoot = process.getuid() === 0;
  if (!asRoot && ask('sudo', ['-n', 'true']) === undefined) {
    stop(
      `System packages needed to ${purpose} are missing: ${missing.join(' ')}`,
      `Install them with: sudo ${install.join(' ')}`,
    );
  }
  step(`Installing what is needed to ${purpose}: ${missing.join(' ')}`);
  const prefix = [...(asRoot ? [] : ['sudo', '-n']), 'env', 'DEBIAN_FRONTEND=noninteractive'];
  for (const words of [['apt-get', 'update', '-q'], install]) {
    const [command, ...args] = [...prefix, ...words];
    await run(command, args);
  }
};
