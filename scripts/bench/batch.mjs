// 100,000 states of one registry of nine tokens, as JSON lines: the command line, both cores,
// against the Python loop doing the same. Whole processes, start included; equal texts demanded.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { built, oraclePython, registries, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';

const STATES = 100_000;
/** Ours takes a tenth of a second, which one hiccup of the machine doubles: the median of many. */
const ROUNDS = 25;

await run('cargo', ['build', '--locked', '--quiet', '--release', '--package', 'promptdeck-cli']);

const folder = mkdtempSync(join(tmpdir(), 'promptdeck-bench-'));
const at = (name) => join(folder, name);

/** The trivia host without its dice, cut to nine tokens, so that both engines print the same. */
const nineTokens = () => {
  const { registry } = JSON.parse(readFileSync(join(registries, 'trivia_host.json'), 'utf8'));
  registry.assembly_order = registry.assembly_order
    .filter((token) => token !== 'runtime_injections')
    .slice(0, 9);
  const baked = ['selected', 'section_random', 'array_modes', 'slider', 'slider_random'];
  const bare = Object.entries(registry).map(([name, section]) => [
    name,
    section?.items
      ? Object.fromEntries(Object.entries(section).filter(([key]) => !baked.includes(key)))
      : section,
  ]);
  return { registry: Object.fromEntries(bare) };
};

/** Call number n, varied in every setting that does not roll. */
const call = (registry, n) => {
  const pick = (section, by) => registry[section].items[by % registry[section].items.length].id;
  return {
    state: {
      selections: {
        base_context: pick('base_context', n),
        personas: pick('personas', n >> 1),
        sentiment: pick('sentiment', n >> 2),
        output_prompt_directions: pick('output_prompt_directions', n >> 3),
        examples: n % 5 === 0 ? [] : [pick('examples', n)],
      },
      array_modes: {
        personas: { base_directives: n % 3 ? 'all' : `index:${n % 4}` },
        sentiment: { nudges: n % 4 ? `index:${n % 5}` : 'all' },
      },
      sliders: { sentiment: (n % 10) + 1 },
      template_vars: {
        'base_context::venue': n % 7 ? `The Lantern no. ${n}` : '',
        'base_context::round': `${n % 6}`,
      },
    },
    seed: n,
  };
};

const timed = (name, command, args) => {
  const [input, output] = [openSync(at('states.jsonl'), 'r'), openSync(at(name), 'w')];
  const started = process.hrtime.bigint();
  const { status } = spawnSync(command, args, { cwd: root, stdio: [input, output, 'inherit'] });
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  closeSync(input);
  closeSync(output);
  if (status !== 0) stop(`${command} ended with exit status ${status}`);
  return seconds;
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const wrapped = nineTokens();
  writeFileSync(at('registry.json'), JSON.stringify(wrapped));
  let lines = '';
  for (let n = 0; n < STATES; n += 1) lines += `${JSON.stringify(call(wrapped.registry, n))}\n`;
  writeFileSync(at('states.jsonl'), lines);

  const python = timed('python.jsonl', oraclePython, [
    join(root, 'scripts', 'bench', 'batch.py'),
    at('registry.json'),
  ]);
  const args = ['hydrate', '--batch', '--registry', at('registry.json')];
  const ours = median(
    Array.from({ length: ROUNDS }, () => timed('ours.jsonl', built('promptdeck', 'release'), args)),
  );

  const answers = (name) =>
    readFileSync(at(name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const expected = answers('python.jsonl');
  const differing = answers('ours.jsonl').findIndex(
    ({ text, seed }, n) => text !== expected[n].text || seed !== expected[n].seed,
  );
  if (differing >= 0) stop(`answer ${differing} differs between the two`);

  console.table({
    'promptlibretto 0.6.0, Python loop': {
      seconds: python.toFixed(2),
      'µs per state': ((python / STATES) * 1e6).toFixed(2),
    },
    [`promptdeck hydrate --batch, ${availableParallelism()} cores`]: {
      seconds: ours.toFixed(3),
      'µs per state': ((ours / STATES) * 1e6).toFixed(2),
      ratio: `${(python / ours).toFixed(1)}x`,
    },
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
