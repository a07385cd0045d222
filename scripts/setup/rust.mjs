// Sees to it that there is a Rust toolchain that is new enough, and a C compiler. A toolchain is the
// person's own: it is installed or updated only with their consent.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

import { confirm } from '../confirm.mjs';
import { stop, unchanged } from '../log.mjs';
import { root } from '../paths.mjs';
import { ask } from '../process.mjs';
import { host, installRust, updateRust } from './rustup.mjs';

const byHand = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh";
const byUs = 'To have it done here, set PROMPTDECK_YES=1 or run this on a terminal.';

const parts = (version) => version.split('.').map(Number);

const isOlder = (version, needed) => {
  const [have, want] = [parts(version), parts(needed)];
  const differs = want.findIndex((part, index) => part !== (have[index] ?? 0));
  return differs >= 0 && (have[differs] ?? 0) < want[differs];
};

/** Finds what rustup installed a moment ago: the terminal's own `PATH` has it only when opened anew. */
const addCargoToPath = () => {
  const homes = [process.env.CARGO_HOME, join(homedir(), '.cargo')].filter(Boolean);
  const programs = homes
    .map((home) => join(home, 'bin'))
    .find((bin) => existsSync(join(bin, 'cargo')));
  if (programs) process.env.PATH = [programs, process.env.PATH].filter(Boolean).join(delimiter);
};

const version = () =>
  ask('cargo', ['--version']) && /^rustc ([\d.]+)/.exec(ask('rustc', ['--version']) ?? '')?.[1];

const found = () => {
  const inPath = version();
  if (inPath) return inPath;
  addCargoToPath();
  return version();
};

const attempt = async (work, ...wayOut) => {
  try {
    await work();
  } catch (error) {
    stop(`Rust could not be installed: ${error.message}`, ...wayOut);
  }
};

const install = async (needed) => {
  const problem = `Rust ${needed} or later is needed and was not found.`;
  if (!host) stop(problem, 'Install it from https://rustup.rs, then open a new terminal.');
  if (!(await confirm(`${problem} Install it with rustup, into your home folder?`))) {
    stop(problem, byUs, `Or install it with: ${byHand}`);
  }
  await attempt(installRust, `Install it with: ${byHand}`);
};

const update = async (needed, version) => {
  const problem = `Rust ${needed} or later is needed; this is ${version}.`;
  if (!ask('rustup', ['--version'])) {
    stop(problem, `It was not installed by rustup. Install a newer one with: ${byHand}`);
  }
  if (!(await confirm(`${problem} Update it with rustup?`))) {
    stop(problem, byUs, 'Or update it with: rustup update stable');
  }
  await attempt(updateRust, 'Update it with: rustup update stable');
};

/**
 * Stops with what to install when Rust is missing or too old and consent was not given, or when
 * there is no C compiler.
 */
export const requireRust = async () => {
  const needed = /^rust-version = "([\d.]+)"/m.exec(
    readFileSync(join(root, 'Cargo.toml'), 'utf8'),
  )[1];
  const before = found();
  if (!before) await install(needed);
  else if (isOlder(before, needed)) await update(needed, before);
  const now = found();
  if (!now || isOlder(now, needed)) {
    stop(
      `Rust ${needed} or later is needed; ${now ? `\`rustc\` is still ${now}` : 'it was not found'}.`,
      'Make the new one the default with: rustup default stable',
    );
  }
  if (!ask('cc', ['--version'])) {
    stop(
      'A C compiler is needed (SQLite is built from source).',
      'Install gcc or clang with the package manager of your system.',
    );
  }
  unchanged(`Rust ${now}`);
};
