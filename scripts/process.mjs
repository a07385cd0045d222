// Running other programs: with what they print shown as it comes, or read, and never with a
// standard input that could wait for somebody. Knows no particular program.
import { spawn, spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import { root } from './paths.mjs';

/** A program that did not end well. */
export class ProgramFailed extends Error {
  constructor(line, reason) {
    super(`\`${line}\` ${reason}`);
    this.name = 'ProgramFailed';
  }
}

const child = (command, args, options) =>
  spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: [
      'ignore',
      options.read || options.quiet ? 'pipe' : 'inherit',
      options.quiet ? 'pipe' : 'inherit',
    ],
  });

const ended = (process, line) =>
  new Promise((resolve, reject) => {
    process.on('error', (error) =>
      reject(new ProgramFailed(line, `could not be started: ${error.message}`)),
    );
    process.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new ProgramFailed(
            line,
            signal ? `was ended by ${signal}` : `ended with exit status ${code}`,
          ),
        );
    });
  });

/** Runs a program to its end, its output shown. Throws `ProgramFailed` when it does not end with 0. */
export const run = (command, args, options = {}) =>
  ended(child(command, args, options), [command, ...args].join(' '));

/**
 * Runs a program to its end, shows what it printed then, so that it may run beside another, and gives it
 * back. With `yielding` it gets what others leave of the processors. Throws `ProgramFailed`, with the
 * output in `output`.
 */
export const runBeside = async (command, args, options = {}) => {
  const running = child(command, args, { ...options, quiet: true });
  // What it starts inherits it.
  if (options.yielding && running.pid) setPriority(running.pid, constants.priority.PRIORITY_LOW);
  const parts = [];
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (part) => parts.push(part));
  }
  const output = () => Buffer.concat(parts).toString();
  try {
    await ended(running, [command, ...args].join(' '));
  } catch (error) {
    error.output = output();
    throw error;
  } finally {
    process.stdout.write(output());
  }
  return output();
};

/**
 * Runs a program to its end, its standard output shown and given back as well.
 * Throws `ProgramFailed`, with the output so far in `output`.
 */
export const runAndRead = async (command, args, options = {}) => {
  const running = child(command, args, { ...options, read: true });
  let output = '';
  running.stdout.setEncoding('utf8');
  running.stdout.on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  try {
    await ended(running, [command, ...args].join(' '));
  } catch (error) {
    error.output = output;
    throw error;
  }
  return output;
};

/** What a program prints, without showing it; `undefined` when it is not there or fails. */
export const ask = (command, args, cwd = root) => {
  const answer = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
};
