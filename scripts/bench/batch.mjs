// 100,000 states of one registry as JSON lines: the command line, both cores, against the Python loop
// doing the same. Whole processes, start included. Nine tokens without dice, where equal texts are
// demanded, then a deck with dice, which fall otherwise in Python.
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
/** Times as fast as the Python loop, at least. */
const GOAL = 100;

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

const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

/** 12 personas, one entry of 6, three of 20, and a slider. */
const dice = () => ({
  registry: {
    assembly_order: ['personas.context', 'personas.directives', 'lore', 'mood.scale'],
    personas: {
      required: true,
      items: many(12, (n) => ({
        id: `persona-${n}`,
        context: `You are host number ${n}, and the room knows you.`,
        directives: many(6, (entry) => `Directive ${entry} of host ${n}.`),
      })),
    },
    lore: {
      required: true,
      items: [{ id: 'pool', items: many(20, (n) => `This is entry ${n} of the lore.`) }],
    },
    mood: {
      required: true,
      scale_template: 'On a scale of 1-10, the mood is {value}.',
      items: [{ id: 'mood', text: 'The mood.' }],
    },
  },
});

const rolled = (_, n) => ({
  state: {
    section_random: { personas: true },
    slider_random: { mood: true },
    array_modes: { personas: { directives: 'random:1' }, lore: { items: 'random:3' } },
  },
  seed: n,
});

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

const answers = (name) =>
  readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The seconds of the Python loop and of ours. */
const measure = (wrapped, state, sameTexts) => {
  writeFileSync(at('registry.json'), JSON.stringify(wrapped));
  const lines = many(STATES, (n) => `${JSON.stringify(state(wrapped.registry, n))}\n`);
  writeFileSync(at('states.jsonl'), lines.join(''));
  const loop = join(root, 'scripts', 'bench', 'batch.py');
  const python = timed('python.jsonl', oraclePython, [loop, at('registry.json')]);
  const args = ['hydrate', '--batch', '--registry', at('registry.json')];
  const program = built('promptdeck', 'release');
  const ours = median(many(ROUNDS, () => timed('ours.jsonl', program, args)));
  const expected = answers('python.jsonl');
  const differing = answers('ours.jsonl').findIndex(
    ({ text, seed }, n) =>
      seed !== expected[n].seed ||
      (sameTexts ? text !== expected[n].text : text.length === 0 || expected[n].text.length === 0),
  );
  if (differing >= 0) stop(`answer ${differing} differs between the two`);
  const row = (seconds) => ({
    seconds: seconds.toFixed(3),
    'µs per state': ((seconds / STATES) * 1e6).toFixed(2),
  });
  const ratio = python / ours;
  return [
    row(python),
    {
      ...row(ours),
      ratio: `${ratio.toFixed(1)}x`,
      [`goal: ${GOAL}x`]: ratio >= GOAL ? 'met' : 'MISSED',
    },
  ];
};

try {
  const rows = [
    ['nine tokens', measure(nineTokens(), call, true)],
    ['with dice', measure(dice(), rolled, false)],
  ].flatMap(([name, [python, ours]]) => [
    [`${name}: promptlibretto 0.6.0, Python loop`, python],
    [`${name}: promptdeck hydrate --batch, ${availableParallelism()} cores`, ours],
  ]);
  console.table(Object.fromEntries(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
