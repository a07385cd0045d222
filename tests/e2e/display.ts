// A separate display for the window, so that the tests neither need a desktop nor disturb one.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { pictureOf } from './framebuffer';

/** A running virtual display. */
export interface Display {
  /** What `DISPLAY` is set to. */
  name: string;
  /** Its upper left part as a PNG. */
  picture(width: number, height: number): Buffer;
  /** Ends it. */
  stop(): void;
}

/** How much of what the server said last is kept, in characters. */
const LAST_WORDS = 1_000;

/** Starts a display of that size; the server itself finds a free number. */
export const startDisplay = (width: number, height: number): Promise<Display> =>
  new Promise((resolve, reject) => {
    const folder = mkdtempSync(join(tmpdir(), 'promptdeck-display-'));
    const size = `${String(width)}x${String(height)}x24`;
    const server: ChildProcess = spawn(
      'Xvfb',
      ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-fbdir', folder],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
    );
    const messages = server.stdio[2] as Readable;
    const announced = server.stdio[3] as Readable;
    let output = '';
    messages.setEncoding('utf8');
    messages.on('data', (text: string) => (output = (output + text).slice(-LAST_WORDS)));
    server.once('error', (error) => {
      reject(new Error(`Xvfb could not be started: ${error.message}`));
    });
    server.once('close', (code) => {
      reject(new Error(`Xvfb ended with exit status ${String(code)}: ${output.trim()}`));
    });
    announced.setEncoding('utf8');
    announced.once('data', (number: string) => {
      resolve({
        name: `:${number.trim()}`,
        picture: (width, height) => pictureOf(join(folder, 'Xvfb_screen0'), width, height),
        stop: () => {
          server.kill();
          rmSync(folder, { recursive: true, force: true });
        },
      });
    });
  });
