// Where downloads are kept when the home folder can't be written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { root } from '../paths.mjs';

const code = `
  import { requireWritableCaches } from './scripts/setup/caches.mjs';
  // Root may write anywhere; what is asked is what an ordinary user would get.
  if (process.getuid() === 0) process.setuid(65534);
  requireWritableCaches();
  console.log(JSON.stringify([process.env.CARGO_HOME, process.env.npm_config_cache]));
`;

const cachesOf = (home, target) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, CARGO_TARGET_DIR: target },
  });
  assert.equal(stderr, '');
  return { output: stdout, caches: JSON.parse(stdout.trim().split('\n').at(-1)) };
};

test('downloads go to the build folder where the home folder is read-only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'promptdeck-caches-'));
  try {
    const [home, target] = [join(folder, 'home'), join(folder, 'target')];
    mkdirSync(home);
    mkdirSync(target);
    chmodSync(folder, 0o755);
    chmodSync(home, 0o555);
    chmodSync(target, 0o777);
    const { output, caches } = cachesOf(home, target);
    assert.match(output, /can't be written; downloads are kept in/);
    for (const cache of caches) {
      assert.ok(cache.startsWith(target), cache);
      assert.ok(existsSync(cache), cache);
    }
    chmodSync(home, 0o777);
    assert.deepEqual(cachesOf(home, target).caches, [null, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
