// What happens where Rust is missing or too old: run in a process of its own whose PATH holds only
// what the test puts there, with installers served from this machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { root } from '../paths.mjs';
import { host } from '../setup/rustup.mjs';

const everywhere = process.env.PATH.split(delimiter);
const programOf = (name) =>
  everywhere.map((folder) => join(folder, name)).find((path) => existsSync(path));

let home;
let programs;
let server;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'promptdeck-home-'));
  programs = join(home, 'programs');
  mkdirSync(programs);
  for (const name of ['sh', 'cc', 'mkdir', 'ln'])
    symlinkSync(programOf(name), join(programs, name));
});

afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(home, { recursive: true, force: true });
});

const program = (name, script) =>
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Serves an installer with a checksum; gives the address to name in RUSTUP_UPDATE_ROOT. */
const serve = async (installer, checksum) => {
  const base = `/dist/${host}/rustup-init`;
  const files = { [base]: installer, [`${base}.sha256`]: checksum };
  server = createServer(({ url }, answer) => {
    if (files[url] === undefined) answer.writeHead(404);
    answer.end(files[url]);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${server.address().port}`;
};

const requireRust = (env = {}) =>
  new Promise((resolve) => {
    const code = "import { requireRust } from './scripts/setup/rust.mjs'; await requireRust();";
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      env: { PATH: programs, HOME: home, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (status) => resolve({ status, output }));
  });

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

test('without Rust and without consent, both ways to get it are printed', async () => {
  const { status, output } = await requireRust();
  assert.equal(status, 1);
  assert.match(output, /Rust [\d.]+ or later is needed and was not found/);
  assert.match(output, /PROMPTDECK_YES=1/);
  assert.match(output, /sh\.rustup\.rs/);
});

test('a Rust that is too old is named, and nothing is changed without consent', async () => {
  program('cargo', 'echo cargo 1.60.0');
  program('rustc', 'echo rustc 1.60.0');
  program('rustup', `[ "$1" = update ] && ln -s x ${home}/updated; echo rustup 1.28.0`);
  const { status, output } = await requireRust();
  assert.equal(status, 1);
  assert.match(output, /is needed; this is 1\.60\.0/);
  assert.match(output, /rustup update stable/);
  assert.ok(!existsSync(join(home, 'updated')));
});

test('an update that leaves the old one in use says so', async () => {
  program('cargo', 'echo cargo 1.60.0');
  program('rustc', 'echo rustc 1.60.0');
  program('rustup', 'echo rustup 1.28.0');
  const { status, output } = await requireRust({ PROMPTDECK_YES: '1' });
  assert.equal(status, 1);
  assert.match(output, /`rustc` is still 1\.60\.0/);
  assert.match(output, /rustup default stable/);
});

test('a Rust that rustup did not install is not updated behind its back', async () => {
  program('cargo', 'echo cargo 1.60.0');
  program('rustc', 'echo rustc 1.60.0');
  const { status, output } = await requireRust({ PROMPTDECK_YES: '1' });
  assert.equal(status, 1);
  assert.match(output, /was not installed by rustup/);
});

test('an installer with another checksum is not run', async () => {
  const mirror = await serve(`#!/bin/sh\nmkdir ${home}/ran\n`, `${sha256('other')}  rustup-init\n`);
  const env = { PROMPTDECK_YES: '1', RUSTUP_UPDATE_ROOT: mirror };
  const { status, output } = await requireRust(env);
  assert.equal(status, 1);
  assert.match(output, /does not have the checksum published beside it/);
  assert.ok(!existsSync(join(home, 'ran')));
});

test('a server that is not there is named, with the way out', async () => {
  const mirror = await serve('', '');
  await new Promise((closed) => server.close(closed));
  server = undefined;
  const env = { PROMPTDECK_YES: '1', RUSTUP_UPDATE_ROOT: mirror };
  const { status, output } = await requireRust(env);
  assert.equal(status, 1);
  assert.match(output, /could not be reached: .*ECONNREFUSED/);
  assert.match(output, /sh\.rustup\.rs/);
});

test('what the installer put into the home folder is found at once', async () => {
  const bin = `${home}/.cargo/bin`;
  const link = (name) => `ln -s ${programOf(name)} ${bin}/${name}`;
  const installer = `#!/bin/sh\nmkdir -p ${bin}\n${link('cargo')}\n${link('rustc')}\n`;
  const mirror = await serve(installer, `${sha256(installer)}  rustup-init\n`);
  const { status, output } = await requireRust({
    PROMPTDECK_YES: '1',
    RUSTUP_UPDATE_ROOT: mirror,
    // Where the machine's own toolchain lies: the links lead to rustup's proxies.
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(process.env.HOME, '.rustup'),
  });
  assert.match(output, /✓ Rust \d/);
  assert.equal(status, 0);
});

test('without a C compiler the problem is named', async () => {
  rmSync(join(programs, 'cc'));
  program('cargo', 'echo cargo 99.0.0');
  program('rustc', 'echo rustc 99.0.0');
  const { status, output } = await requireRust();
  assert.equal(status, 1);
  assert.match(output, /A C compiler is needed/);
});
