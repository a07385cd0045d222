// The Python package against the packages that Python programs use today, one release wheel, one
// run, equal texts demanded: promptlibretto for prompts, transformers for chat templates. Says what
// misses its goal.
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../paths.mjs';
import { nineTokens } from './cases/nine-tokens.mjs';
import { turns } from './cases/turns.mjs';
import { measured, printRatios, requireBenchEnvironment, verdict } from './shared/wheel.mjs';

/** The largest wheel that is published, in bytes. */
const LARGEST = 8e6;

const file = await requireBenchEnvironment();
const cases = {
  hydration: nineTokens(),
  chats: { messages: turns(20), templates: join(root, 'tests', 'chat-templates') },
};
const rows = measured('python.py', [], JSON.stringify(cases));
printRatios(rows, 'µs', (nanoseconds) => (nanoseconds / 1000).toFixed(2));
const { size } = statSync(file);
console.log(`the wheel: ${(size / 1e6).toFixed(2)} MB, goal below 8 MB ${verdict(size < LARGEST)}`);
