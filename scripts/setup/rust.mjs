// Looks for the Rust toolchain and a C compiler. Installs neither: a toolchain is the person's own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../paths.mjs';
import { ask } from '../process.mjs';
import { stop, unchanged } from '../say.mjs';

const parts = (version) => version.split('.').map(Number);

const isOlder = (version, needed) => {
  const [have, want] = [parts(version), parts(needed)];
  const differs = want.findIndex((part, index) => part !== (have[index] ?? 0));
  return differs >= 0 && (have[differs] ?? 0) < want[differs];
};

/** Stops with what to install when Rust is missing or too old, or there is no C compiler. */
export const requireRust = () => {
  const needed = /^rust-version = "([\d.]+)"/m.exec(
    readFileSync(join(root, 'Cargo.toml'), 'utf8'),
  )[1];
  const found = /^rustc ([\d.]+)/.exec(ask('rustc', ['--version']) ?? '')?.[1];
  if (!found || !ask('cargo', ['--version'])) {
    stop(
      `Rust ${needed} or later is needed and was not found.`,
      'Install it from https://rustup.rs, then open a new terminal.',
    );
  }
  if (isOlder(found, needed)) {
    stop(
      `Rust ${needed} or later is needed; this is ${found}.`,
      'Update it with: rustup update stable',
    );
  }
  if (!ask('cc', ['--version'])) {
    stop(
      'A C compiler is needed (SQLite is built from source).',
      'Install it with: sudo apt-get install build-essential',
    );
  }
  unchanged(`Rust ${found}`);
};
