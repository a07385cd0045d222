// The llama.cpp server that the provider tests use, with its tiny model, for the window to run
// against. It ends with this process, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from './programs';

const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const python = process.env.PROMPTDECK_SERVERS_PYTHON ?? join(target, 'servers', 'bin', 'python');

export class Llama {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** Its base URL. */
    readonly address: string,
  ) {}

  /** Starts one that refuses requests without the key. */
  static async start(key: string): Promise<Llama> {
    const folder = mkdtempSync(join(tmpdir(), 'promptdeck-llama-'));
    const script = join(root, 'tests', 'servers', 'llama_server.py');
    const child = spawn(python, [script, join(folder, 'tiny.gguf'), key], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^READY (\S+)/.exec(line)?.[1];
      if (address !== undefined) return new Llama(child, folder, address);
    }
    throw new Error(`${python} could not start the model server; npm test installs it`);
  }

  /** What it answers to a body, not streamed. */
  async answer(body: object, key: string): Promise<string> {
    const response = await fetch(`${this.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream: false }),
    });
    const completion = (await response.json()) as { choices: { message: { content: string } }[] };
    return completion.choices[0]?.message.content ?? '';
  }

  /** Ends it as `kill -9` does. */
  kill(): void {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
