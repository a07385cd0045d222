// Where the programs under test are and how the command line is asked. Knows nothing of the window.
import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');

/** `debug` as `npm test` builds them, or `release` for the benchmarks. */
const profile = process.env.PROMPTDECK_PROFILE ?? 'debug';

/** The programs under test. */
export const programs = {
  studio: join(target, profile, 'promptdeck-studio'),
  /** A window with nothing in it, what the studio's start and memory are measured against. */
  bareWindow: join(target, profile, 'examples', 'bare_window'),
  promptdeck: join(target, profile, 'promptdeck'),
};

/** Where pictures of the window are kept. */
export const artifacts = join(root, 'artifacts');

/**
 * What the command line prints, without the end of the last line; `input` is what it reads.
 * Throws when it fails.
 */
export const promptdeck = (args: string[], env: NodeJS.ProcessEnv, input = ''): string =>
  execFileSync(programs.promptdeck, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
