// One prompt by a library call, ours against promptlibretto's: the same registries and states, the
// same run, equal texts demanded. Nine tokens first, then registries of growing size.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { built, oraclePython, root } from '../paths.mjs';
import { run } from '../process.mjs';
import { stop } from '../log.mjs';

const build = ['build', '--locked', '--quiet', '--release', '--package', 'promptdeck-core'];
await run('cargo', [...build, '--example', 'hydrate_speed']);

const section = (items, more = {}) => ({ required: true, items, ...more });

/** The registry of promptlibretto's readme, filled: nine tokens in eight sections. */
const nineTokens = () => ({
  name: 'nine tokens',
  registry: {
    assembly_order: [
      'output_prompt_directions',
      'base_context.text',
      'personas.context',
      'sentiment.context',
      'sentiment.nudges',
      'sentiment.scale',
      'examples.normal_examples',
      'sentiment.examples',
      'prompt_endings',
    ],
    output_prompt_directions: section([
      { name: 'rules', text: 'Answer in one short message, in the voice you are given.' },
    ]),
    base_context: section(
      [
        {
          name: 'context',
          text: "You're watching a streamer at {location}.",
          fragments: [
            { if_var: 'sublocation', text: 'Specifically: {sublocation}.' },
            { if_var: 'weather', text: 'It is {weather}.' },
          ],
        },
      ],
      { template_vars: ['location', 'sublocation', 'weather'] },
    ),
    personas: section([
      { id: 'shy', context: "You're nervous about speaking, and it shows." },
      { id: 'loud', context: "You're full of energy and want everybody to know it." },
      { id: 'dry', context: 'You have seen it all and say so in few words.' },
    ]),
    sentiment: section([
      {
        id: 'positive',
        context: 'You like what you see.',
        nudges: ['Say what you like.', 'Be specific.', 'Do not flatter.'],
        examples: ['that was clean', 'ok that one was for the highlight reel'],
        pre_context: 'Examples:',
      },
      {
        id: 'negative',
        context: 'You are not impressed.',
        nudges: ['Say what went wrong.', 'Stay kind.', 'No lectures.'],
        examples: ['we do not talk about that jump', 'the tutorial is free you know'],
        pre_context: 'Examples:',
      },
    ]),
    examples: section(
      [
        {
          name: 'pool',
          items: ['hello chat', 'first time here', 'what did I miss'],
          pre_context: 'Examples:',
        },
        { name: 'late', items: ['still up?', 'one more game'] },
      ],
      { required: false },
    ),
    static_injections: section([{ id: 'house', text: 'Keep it clean.' }], { required: false }),
    prompt_endings: section([{ name: 'end', items: ['Your message:', 'One line only:'] }]),
  },
  state: {
    selections: { personas: 'loud', sentiment: 'negative', examples: ['pool'] },
    array_modes: { sentiment: { nudges: 'index:1' }, prompt_endings: { items: 'index:0' } },
    sliders: { sentiment: 8 },
    template_vars: { 'base_context::location': 'the kitchen', 'base_context::weather': 'raining' },
  },
});

const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

/** A section of so many items, of which one is chosen. */
const oneOf = (count) => ({
  name: `1 of ${count} items`,
  registry: {
    assembly_order: ['lore'],
    lore: section(
      many(count, (n) => ({ id: `item-${n}`, text: `This is item ${n} of the lore.` })),
    ),
  },
  state: { selections: { lore: `item-${count - 1}` } },
});

/** A pool of so many entries, all of which are printed. */
const allOf = (count) => ({
  name: `all of ${count} entries`,
  registry: {
    assembly_order: ['lore'],
    lore: section([{ id: 'pool', items: many(count, (n) => `This is entry ${n} of the lore.`) }]),
  },
  state: {},
});

const sizes = [10, 100, 1_000, 10_000];
const cases = [nineTokens(), ...sizes.map(oneOf), ...sizes.map(allOf)];

const answers = (command, args) => {
  const options = { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 1 << 28 };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, ...options });
  if (status !== 0) stop(`${command} ended with exit status ${status}: ${stderr}`);
  return JSON.parse(stdout);
};

const ours = answers(built(join('examples', 'hydrate_speed'), 'release'), []);
const theirs = answers(oraclePython, [join(root, 'scripts', 'bench', 'hydrate.py')]);
const micro = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
const rows = ours.map(({ name, nanoseconds, text }, n) => {
  if (text !== theirs[n].text) stop(`the prompts of "${name}" differ`);
  return [
    name,
    {
      'promptlibretto 0.6.0 µs': micro(theirs[n].nanoseconds),
      'promptdeck µs': micro(nanoseconds),
      ratio: `${(theirs[n].nanoseconds / nanoseconds).toFixed(0)}x`,
    },
  ];
});
console.table(Object.fromEntries(rows));
