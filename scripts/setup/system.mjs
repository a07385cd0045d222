// System libraries of Debian and Ubuntu: installs what is missing through apt when it may, and
// prints the exact line to run when it may not.
import { confirm, isInteractive } from '../confirm.mjs';
import { step, stop, unchanged } from '../log.mjs';
import { ask, run } from '../process.mjs';

/** What building the command line takes; cargo reads the system's certificates. */
export const buildPackages = ['build-essential', 'ca-certificates'];

/** What building and opening the window takes. */
export const windowPackages = [
  ...buildPackages,
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

const asOneLine = (install) => `sudo apt-get update && sudo ${install.join(' ')}`;

/** Whether sudo asks nothing, or somebody at the terminal agrees to be asked for the password. */
const maySudo = async (problem) =>
  ask('sudo', ['-n', 'true']) !== undefined ||
  (isInteractive() &&
    ask('sudo', ['--version']) !== undefined &&
    (await confirm(`${problem}. Install them with sudo?`)));

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
  const problem = `System packages needed to ${purpose} are missing: ${missing.join(' ')}`;
  if (!asRoot && !(await maySudo(problem))) {
    stop(problem, `Install them with: ${asOneLine(install)}`);
  }
  step(`Installing what is needed to ${purpose}: ${missing.join(' ')}`);
  const prefix = [...(asRoot ? [] : ['sudo']), 'env', 'DEBIAN_FRONTEND=noninteractive'];
  for (const words of [['apt-get', 'update', '-q'], install]) {
    const [command, ...args] = [...prefix, ...words];
    await run(command, args);
  }
};
