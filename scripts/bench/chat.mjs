// Chat templates over conversations of 20 and 200 turns, templates compiled before: this engine
// against Python's jinja2 and npm's @huggingface/jinja, in one run; equal texts demanded. Messages
// are given as each engine takes them (values, dictionaries, objects), and to the first two as the
// text of JSON as well. And what one more message costs, what inspecting a template takes, and how
// soon templates made to harm are stopped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Template } from '@huggingface/jinja';

import { oraclePython, root } from '../paths.mjs';
import { stop } from '../log.mjs';
import { turns } from './cases/turns.mjs';

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather at a place.',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Where.' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        },
        required: ['city'],
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Looks something up.',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
    },
  },
];

const folder = join(root, 'tests', 'chat-templates');
const cases = readdirSync(folder)
  .sort()
  .flatMap((file) => {
    const name = file.replace('.jinja', '');
    const base = {
      template: readFileSync(join(folder, file), 'utf8'),
      messages: turns(20),
      tools: null,
      bos_token: '<s>',
      eos_token: '</s>',
    };
    return [
      { ...base, name },
      { ...base, name: `${name}, tools`, tools: TOOLS },
      { ...base, name: `${name}, 200 turns`, messages: turns(200) },
    ];
  });

/** The time of one call in the best of many short rounds: the one others disturbed least. */
const bestTime = (call) => {
  const rounds = Array.from({ length: 60 }, () => {
    const begun = process.hrtime.bigint();
    let calls = 0;
    let passed = 0n;
    while (passed < 8_000_000n) {
      call();
      calls += 1;
      passed = process.hrtime.bigint() - begun;
    }
    return Number(passed) / calls;
  });
  return Math.min(...rounds);
};

/** The clock of all three; this one brings its own strftime_now and raise_exception. */
const NOW = '2024-07-26T09:05:03';
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [NOW]));
  }
};

const inJavaScript = ({ name, template, messages, tools, bos_token, eos_token }) => {
  try {
    const compiled = new Template(template);
    const variables = {
      messages,
      tools,
      documents: null,
      add_generation_prompt: true,
      bos_token,
      eos_token,
    };
    const text = compiled.render(variables);
    return { name, text, rendered: bestTime(() => compiled.render(variables)) };
  } catch (error) {
    return { name, failed: error.message };
  }
};

/** What a program prints, line by line; its messages are shown. */
const lines = (command, args, env = {}) => {
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) stop(`${command} ended with exit status ${status}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
};

const temporary = mkdtempSync(join(tmpdir(), 'promptdeck-bench-'));
try {
  const path = join(temporary, 'cases.json');
  writeFileSync(path, JSON.stringify(cases));
  const ours = lines(
    'cargo',
    ['bench', '--locked', '--quiet', '--package', 'promptdeck-tests', '--bench', 'chat_templates'],
    { PROMPTDECK_BENCH_CASES: path },
  );
  const python = lines(oraclePython, [join(root, 'scripts', 'bench', 'chat.py'), path]);
  const javascript = cases.map(inJavaScript);
  const micro = (nanoseconds) => (nanoseconds / 1000).toFixed(1);
  const times = (theirs, ours) => (theirs / ours).toFixed(1);
  const row = (name, cells) =>
    console.log(`${name.padEnd(20)}${cells.map((cell) => cell.padStart(11)).join('')}`);
  const missed = [];
  const demand = (holds, what) => {
    if (!holds) missed.push(what);
  };
  console.log('microseconds for one rendering, the best of 60 rounds; how many times faster it is');
  row('template', ['here', 'jinja2', 'x', 'hf/jinja', 'x', 'from JSON', 'jinja2', 'x']);
  for (const [index, own] of ours.entries()) {
    const [reference, other] = [python[index], javascript[index]];
    if (own.text !== reference.text) stop(`${own.name}: jinja2 gives another text`);
    row(own.name, [
      micro(own.rendered),
      micro(reference.rendered),
      times(reference.rendered, own.rendered),
      other.failed ? 'fails' : micro(other.rendered),
      other.failed ? '' : times(other.rendered, own.rendered),
      micro(own.parsed),
      micro(reference.parsed),
      times(reference.parsed, own.parsed),
    ]);
    if (other.failed) console.log(`  hf/jinja: ${other.failed}`);
    else if (other.text !== own.text) console.log('  hf/jinja gives another text');
    demand(other.failed || own.rendered < other.rendered, `${own.name}: slower than hf/jinja`);
    demand(own.rendered * 3 <= reference.rendered, `${own.name}: less than 3x jinja2`);
    demand(own.inspect <= 16e6, `${own.name}: inspecting takes longer than a frame`);
  }
  console.log(
    '\nmicroseconds for one more message; how many of the messages were not rendered again; inspecting',
  );
  row('template', ['20 turns', '200 turns', 'x', 'whole', 'kept', 'inspect ms']);
  for (const [index, own] of ours.entries()) {
    if (!own.name.endsWith('200 turns')) continue;
    const short = ours[index - 2];
    row(short.name, [
      micro(short.incremental),
      micro(own.incremental),
      times(own.incremental, short.incremental),
      micro(own.whole),
      `${own.kept}/${own.messages}`,
      (own.inspect / 1e6).toFixed(2),
    ]);
  }
  console.log(missed.length === 0 ? '\nevery goal is reached' : `\nmissed:\n${missed.join('\n')}`);
  console.log('\ntemplates made to harm, and how soon they are stopped');
  const { status } = spawnSync(
    'cargo',
    [
      'bench',
      '--locked',
      '--quiet',
      '--package',
      'promptdeck-tests',
      '--bench',
      'hostile_templates',
    ],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) stop('a hostile template broke its bounds');
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
