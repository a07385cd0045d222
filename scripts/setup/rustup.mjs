// Installs or updates the Rust toolchain through rustup. The installer is fetched by Node itself, so
// a machine without curl can have it too, and its checksum is compared before it runs.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '../process.mjs';
import { step } from '../log.mjs';

// The variable is rustup's own; it names a mirror.
const server = () => process.env.RUSTUP_UPDATE_ROOT ?? 'https://static.rust-lang.org/rustup';

const hosts = {
  'linux x64': 'x86_64-unknown-linux-gnu',
  'linux arm64': 'aarch64-unknown-linux-gnu',
  'darwin x64': 'x86_64-apple-darwin',
  'darwin arm64': 'aarch64-apple-darwin',
};

/** The target triple of this machine; `undefined` where rustup has to be installed by hand. */
export const host = hosts[`${process.platform} ${process.arch}`];

const download = async (url) => {
  let answer;
  try {
    answer = await fetch(url);
  } catch (error) {
    const reason = error.cause?.message ?? error.message;
    throw new Error(`${url} could not be reached: ${reason}`, { cause: error });
  }
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
};

/** Installs rustup with the current stable toolchain. Throws when it can't be fetched. */
export const installRust = async () => {
  step('Installing Rust through rustup');
  const url = `${server()}/dist/${host}/rustup-init`;
  const [installer, checksum] = await Promise.all([download(url), download(`${url}.sha256`)]);
  const digest = createHash('sha256').update(installer).digest('hex');
  if (!checksum.toString('utf8').trimStart().startsWith(digest)) {
    throw new Error(`${url} does not have the checksum published beside it; nothing was installed`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'rustup-'));
  try {
    const program = join(folder, 'rustup-init');
    writeFileSync(program, installer, { mode: 0o700 });
    const components = ['--component', 'rustfmt', '--component', 'clippy'];
    await run(program, ['-y', '--profile', 'minimal', ...components]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Brings the stable toolchain up to date. */
export const updateRust = async () => {
  step('Updating Rust through rustup');
  await run('rustup', ['update', 'stable']);
};
