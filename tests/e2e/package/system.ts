// A separate Debian: the smallest installation, unpacked for the test, entered by chroot in mounts
// that nobody else sees. Root enters it as root, any other user through a user namespace with
// subordinate ids. Its processes share the network with ours, hence the driver reaches them.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a program printed, and how it ended. */
export interface Ended {
  status: number | null;
  out: string;
  err: string;
}

/** The ordinary user of the system. */
const USER = 'author';
export const HOME = `/home/${USER}`;

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run npm run test:package`);
  return value;
};

/** The command that enters namespaces, as the script that starts the tests tried it out. */
const namespaces = (): string[] => JSON.parse(required('PROMPTDECK_NAMESPACES')) as string[];

/** Enters the root in $1 as the user in $2 with the words after it. */
const ENTER = `set -e
mount --rbind /proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --bind "$PROMPTDECK_ARCHIVES" "$1/var/cache/apt/archives"
mkdir -p "$1/tmp/.X11-unix"
test ! -d /tmp/.X11-unix || mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"
root=$1 user=$2
shift 2
exec chroot --userspec="$user" "$root" "$@"`;

const ROOT_ENV = { HOME: '/root', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };

/** Runs the words of a command line; `input` is what the program reads. */
const ended = (words: string[], input = ''): Ended => {
  const [command = '', ...args] = words;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    input,
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  return { status, out: stdout, err: stderr };
};

/** What a program printed that has to end with 0. */
const succeeded = (words: string[], { status, out, err }: Ended): string => {
  if (status !== 0) throw new Error(`${words.join(' ')}: ${String(status)}\n${out}${err}`);
  return out;
};

/** A fresh system, gone when the test is over. */
export class System {
  readonly root = mkdtempSync(join(tmpdir(), 'promptdeck-system-'));

  constructor() {
    mkdirSync(join(required('PROMPTDECK_ARCHIVES'), 'partial'), { recursive: true });
    // A user namespace makes no devices; those of this machine are mounted.
    const unpack = ['tar', '-xf', required('PROMPTDECK_MINBASE'), '-C', this.root];
    this.#outside([...unpack, '--exclude=./dev/*']);
    chmodSync(this.root, 0o755);
    cpSync('/etc/resolv.conf', this.path('etc/resolv.conf'), { dereference: true });
    // Services are not started in a root that is not running.
    writeFileSync(this.path('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    this.mustRun('useradd', ['--create-home', USER]);
  }

  /** The path outside of what root owns inside. */
  path(inside: string): string {
    return join(this.root, inside);
  }

  /** Runs a program of this machine with the rights over the files of the system. */
  #outside(words: string[]): void {
    succeeded(words, ended([...namespaces(), ...words]));
  }

  #words(user: string, env: Record<string, string>, words: string[]): string[] {
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    return [...namespaces(), 'sh', '-c', ENTER, 'sh', this.root, user, 'env', ...set, ...words];
  }

  /** Runs a program as root. */
  asRoot(command: string, args: string[] = []): Ended {
    const env = { ...ROOT_ENV, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
    return ended(this.#words('root', env, [command, ...args]));
  }

  /** Runs a program as the ordinary user. */
  asUser(command: string, args: string[] = [], input = ''): Ended {
    const env = { HOME, LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' };
    return ended(this.#words(USER, env, [command, ...args]), input);
  }

  /** Runs a program as root; throws what it printed when it does not end with 0. */
  mustRun(command: string, args: string[]): string {
    return succeeded([command, ...args], this.asRoot(command, args));
  }

  /** Installs packages with what they depend on, and nothing that they only recommend. */
  install(...packages: string[]): void {
    this.mustRun('apt-get', ['install', '--yes', '--no-install-recommends', ...packages]);
  }

  /** A program for the driver that starts the words of a command line as the ordinary user. */
  launcher(words: string[]): string {
    const file = this.path('tmp/start');
    const env = { HOME, LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin', GSETTINGS_BACKEND: 'memory' };
    const quoted = this.#words(USER, env, words).map(
      (word) => `'${word.replaceAll("'", "'\\''")}'`,
    );
    const home = ['PROMPTDECK_STORE', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];
    writeFileSync(file, `#!/bin/sh\nunset ${home.join(' ')}\nexec ${quoted.join(' ')}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Every path of the system outside the folders that only a running one fills. */
  paths(): Set<string> {
    const folders = 'bin boot etc home lib opt root sbin srv usr var'.split(' ');
    const found = this.mustRun('find', [...folders.map((name) => `/${name}`), '-print0']);
    return new Set(found.split('\0').filter(Boolean));
  }

  exists(inside: string): boolean {
    return this.asRoot('test', ['-e', inside]).status === 0;
  }

  /** The names in a folder. */
  names(folder: string): string[] {
    return this.mustRun('ls', ['-A', folder]).split('\n').filter(Boolean);
  }

  read(inside: string): string {
    return this.mustRun('cat', [inside]);
  }

  /** Writes a file of the ordinary user, with its folder. */
  write(inside: string, content: string): void {
    const words = ['sh', '-c', 'mkdir -p "$(dirname "$0")" && cat > "$0"', inside];
    succeeded(words, this.asUser('sh', words.slice(1), content));
  }

  remove(): void {
    this.#outside(['rm', '-rf', this.root]);
  }
}
